/** How a command that failed ends: one line on stderr, and the exit code that tells whose fault it is. */
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Errors of ours and of other rooms that are no defect, by name: knowing their classes would load their rooms. */
const expected: Readonly<Record<string, number>> = {
  UsageError: exitCodes.usage,
  ConfigurationError: exitCodes.usage,
  TargetUnreachable: exitCodes.unreachable,
}

export function ending(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  const code = error instanceof Error ? expected[error.name] : undefined
  if (error instanceof Error && code !== undefined) {
    io.err(`error: ${error.message}\n`)
    return code
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  io.err(`error of Touchstone itself, please report it: ${told}\n`)
  return exitCodes.ourFault
}
