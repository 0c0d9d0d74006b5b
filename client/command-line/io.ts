/** What a command may touch of the process: handed in, so that a command can be run within a test. */
export interface CommandLineIo {
  /** Data, to stdout. */
  out: (text: string) => void
  /** Words for a person, to stderr. */
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** The folder of the person, where the environment names no other place for what is kept. */
  home: string
  windows: boolean
  /** Columns for help. */
  width: number
  /** Whether a terminal shows what goes to stdout, and would act on control characters in it. */
  terminal: boolean
  /** Everything on standard input. */
  read(): Promise<string>
  /** Asks the person at the terminal for a line that is not shown; null where nobody is there. */
  hidden: ((text: string, stop: AbortSignal) => Promise<string>) | null
  /** Aborts at the first request of the user or the system to end; its reason is the name of the signal. */
  stopped: AbortSignal
}
