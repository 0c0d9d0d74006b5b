/** What the time, or the memory, of a row goes into, as profiles showed it: for rows that ask for an explanation. */
export const notes: Readonly<Record<string, string>> = {}
