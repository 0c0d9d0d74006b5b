/** How a command that failed ends: one line on stderr, and the exit code that tells what kind of failure it was. */
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Errors of the library and of ours by name. */
const codes: Readonly<Record<string, number>> = {
  UsageError: exitCodes.usage,
  InvalidCall: exitCodes.usage,
  OperationUnknown: exitCodes.usage,
  ServiceError: exitCodes.failed,
  TaskNotFinished: exitCodes.unfinished,
  NoAnswer: exitCodes.unreachable,
  StreamIncomplete: exitCodes.unreachable,
  UnknownShape: exitCodes.unreachable,
}

/** As shells count them: 128 and the number of the signal. */
const stops: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 }

export function ending(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (io.stopped.aborted) return stops[String(io.stopped.reason)] ?? 130
  if (!(error instanceof Error)) return told(String(error), io)
  const code = codes[error.name]
  if (code === undefined) return told(error.stack ?? error.message, io)
  io.err(`error: ${begun(error)}${oneLine(error.message)}${waiting(error)}${here(error)}\n`)
  return code
}

function told(what: string, io: Io): number {
  io.err(`error of service-client itself, please report it: ${what}\n`)
  return exitCodes.failed
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
