/** What a command has at hand. */
import type { DiscreetIo } from './output/discretion.ts'

export interface CommandContext {
  io: DiscreetIo
  /** How the process ends when the command is through; 0 unless it is called. */
  end: (code: number) => void
}
