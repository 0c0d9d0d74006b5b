/** A wrong command line, or a wrong file that it names. The message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError'
}
