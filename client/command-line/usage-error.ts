/** Something that was typed or kept cannot be used; the message says what, and what to do instead. One line. */
export class CommandUsageError extends Error {
  override name = 'UsageError'
}

/** The code of a system error, such as ENOENT, or its name: never its words, which may quote a file. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
