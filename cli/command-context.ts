import type { Io } from './io.ts'

export interface CommandContext {
  io: Io
  /** Sets the exit code; 0 if it is never called. */
  end: (exitCode: number) => void
  /** Names of the report formats, if the command line has `report`. */
  formats?: readonly string[]
}
