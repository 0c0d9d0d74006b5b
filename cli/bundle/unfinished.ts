/** What stands after the name of a file until it is whole. */
export const unfinished = '.part'
