/** The parts of the process that commands use, passed in so that tests can run commands in-process. */
export interface Io {
  out: (text: string) => void
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** How the user starts commands, such as `npx touchstone`, and the words that came behind it. */
  started: { as: string; words: readonly string[] }
  /** Columns of stdout, or of the variable COLUMNS, or 100. */
  width: number
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
   * Hands signals to end, which then do not end this process, on to another one and all that it started, from the second on
   * as SIGKILL. The returned function ends that, and gives the processes that run on all the same.
   */
  handSignalsTo(pid: number): () => Promise<readonly number[]>
}
