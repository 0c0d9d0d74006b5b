/** What a command may touch of the process: handed in, so that a command can be run within a test. */
export interface Io {
  /** Data, to stdout. */
  out: (text: string) => void
  /** Words for a person, to stderr. */
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** Columns of stdout; where it is no terminal those of the environment, or 100. */
  width: number
  /** Whether stdout shows colours. */
  colour: boolean
  /** Whether stderr is a terminal, in which a line can be rewritten. */
  live: boolean
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /** Asks the person at the terminal for a line; null where nobody is there. */
  question: ((text: string, stop: AbortSignal) => Promise<string>) | null
  /**
   * Aborts at the first request of the user or the system to end. A command that never looks at it is ended by that,
   * as if nobody listened; so one that does looks before it begins.
   */
  stopped: AbortSignal
  /**
   * Tells of each request to end, which then no longer ends this process, until the result is called. A Ctrl-C at a
   * terminal is not told of: whatever this process has started has got it from the terminal, too.
   */
  signals(heard: (name: NodeJS.Signals) => void): () => void
}
