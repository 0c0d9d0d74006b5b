/** What every command is made from: the process, and a place to leave its exit code. */
import type { Io } from './io.ts'

export interface Bench {
  io: Io
  end: (exitCode: number) => void
}
