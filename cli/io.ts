/** The parts of the process that commands use, passed in so that tests can run commands in-process. */
export interface Io {
  /** Data, to stdout. */
  out: (text: string) => void
  /** Messages, to stderr. */
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** Columns of stdout, or of the variable COLUMNS, or 100. */
  width: number
  /** Whether stdout supports colours. */
  colour: boolean
  /** Whether stderr is a terminal that can overwrite a line. */
  live: boolean
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Prompts for a line; null without a terminal. */
  question: ((text: string, stop: AbortSignal) => Promise<string>) | null
  /**
   * Aborts at the first SIGINT or SIGTERM, or when npx, which started this process, has ended. The handlers are installed at the first access, so a command that never
   * reads this is ended by the signal, and one that does reads it before it starts.
   */
  stopped: AbortSignal
  /**
   * Calls the listener with each signal to end, which then does not end this process, until the returned function is
   * called. Ctrl-C at a terminal is not reported, because the terminal sends it to child processes, too.
   */
  signals(listener: (name: NodeJS.Signals) => void): () => void
}
