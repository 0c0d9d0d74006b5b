/** Stands for the key of a request, and is as long as each key that takes its place. */
export const keyMark = 'bench-000000000000'
