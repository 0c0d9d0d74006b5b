/** Prints the error of a failed command, and returns its exit code. */
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Expected errors by name: importing their classes would load their modules. */
const expected: Readonly<Record<string, number>> = {
  UsageError: exitCodes.usage,
  BundleError: exitCodes.usage,
  ConfigurationError: exitCodes.usage,
  TargetUnreachable: exitCodes.unreachable,
}

export function reportError(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  const code = error instanceof Error ? expected[error.name] : undefined
  if (error instanceof Error && code !== undefined) {
    io.err(`error: ${error.message}\n`)
    return code
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  io.err(`internal error of Touchstone, please report it: ${text}\n`)
  return exitCodes.ourFault
}
