/** Prints the error of a failed command on one line of stderr and returns its exit code. */
import { CommanderError } from 'commander'
import { clientExitCodes } from './exit-codes.ts'
import type { CommandLineIo } from './io.ts'

/** Errors of the library and of ours by name. */
const codes: Readonly<Record<string, number>> = {
  UsageError: clientExitCodes.usage,
  InvalidCall: clientExitCodes.usage,
  OperationUnknown: clientExitCodes.usage,
  ServiceError: clientExitCodes.failed,
  TaskNotFinished: clientExitCodes.unfinished,
  NoAnswer: clientExitCodes.unreachable,
  StreamIncomplete: clientExitCodes.unreachable,
  UnknownShape: clientExitCodes.unreachable,
}

/** As shells count them: 128 and the number of the signal. */
const stops: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 }

export function ending(error: unknown, io: CommandLineIo): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? clientExitCodes.done : clientExitCodes.usage
  if (io.stopped.aborted) return stops[String(io.stopped.reason)] ?? 130
  if (!(error instanceof Error)) return printError(String(error), io)
  const code = codes[error.name]
  if (code === undefined) return printError(error.stack ?? error.message, io)
  io.err(`error: ${begun(error)}${oneLine(error.message)}${waiting(error)}${here(error)}\n`)
  return code
}

function printError(what: string, io: CommandLineIo): number {
  io.err(`error of service-client itself, please report it: ${what}\n`)
  return clientExitCodes.failed
}

/** A turn can fail after it was answered 200: then that number alone would look as if all were well. */
const begun = (error: Error): string =>
  'status' in error && typeof error.status === 'number' && error.status < 300 ? 'failed after ' : ''

/** What the service asks for, in the words of the command line. */
const options: Readonly<Record<string, string>> = { IDEMPOTENCY_KEY_REQUIRED: '--idempotency-key KEY' }

function here(error: Error): string {
  if (error.name === 'UnknownShape') return ' (here: --dialect FILE)'
  const option = 'code' in error && typeof error.code === 'string' ? options[error.code] : undefined
  return option === undefined ? '' : ` (here: ${option})`
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ')

function waiting(error: Error): string {
  const seconds = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? ` (retry after ${seconds} s)` : ''
}
