/** The command line, as a table of contents. */
import { Command, CommanderError } from 'commander'
import { withIdentifiers } from '../../spec/identifiers.ts'
import { billingCommand, operationsCommand, versionWords, whoamiCommand } from './commands/reads.ts'
import { chatCommand } from './commands/chat.ts'
import { type CommandContext, createDiscreetIo } from './output/write.ts'
import { executeCommand, approvalsCommand, tasksCommand } from './commands/execute.ts'
import { clientExitCodeHelp, clientExitCodes } from './output/see-through.ts'
import type { CommandLineIo } from './process-io.ts'
import { loginCommand, logoutCommand, profilesCommand } from './commands/profiles.ts'
import { uploadCommand } from './commands/upload.ts'
import { speechOf, withVendorOptions } from './settings/vendor.ts'

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

function ending(error: unknown, io: CommandLineIo): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? clientExitCodes.done : clientExitCodes.usage
  if (io.stopped.aborted) return stops[String(io.stopped.reason)] ?? 130
  if (!(error instanceof Error)) return printError(String(error), io)
  const code = codes[error.name]
  if (code === undefined) return printError(error.stack ?? error.message, io)
  io.err(
    `error: ${begun(error)}${error.message.trim().replace(/\s*\n\s*/g, ' ')}${waiting(error)}${here(error)}\n`,
  )
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

function waiting(error: Error): string {
  const seconds = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? ` (retry after ${seconds} s)` : ''
}

/** Runs one command line, without the names of Node and of the script. Never throws; gives the exit code. */
export async function runCommandLine(argv: readonly string[], given: CommandLineIo): Promise<number> {
  const io = createDiscreetIo(given)
  let exitCode: number = clientExitCodes.done
  try {
    await createClientProgram({ io, end: (code) => void (exitCode = code) }).parseAsync([...argv], {
      from: 'user',
    })
    return exitCode
  } catch (error) {
    return ending(error, io)
  }
}

export function createClientProgram(context: CommandContext): Command {
  const root = withVendorOptions(new Command('service-client'))
    .description('Talks to the chat service of the contract: turns, operations, billing.')
    .version(versionWords(), '-V, --version')
    // Else a text behind --message that begins with dashes could be taken for an option.
    .enablePositionalOptions()
    .addHelpText('after', clientExitCodeHelp)
    .hook('preAction', (_root, command) => context.io.speak(command.optsWithGlobals()))
  const commands = [
    chatCommand(context),
    operationsCommand(context),
    executeCommand(context),
    uploadCommand(context),
    tasksCommand(context),
    approvalsCommand(context),
    billingCommand(context),
    whoamiCommand(context),
    loginCommand(context),
    logoutCommand(context),
    profilesCommand(context),
  ]
  for (const command of commands) root.addCommand(command)
  for (const command of [root, ...commands, ...commands.flatMap(({ commands }) => commands)])
    talk(command, context.io)
  return root
}

/** No command ends the process or writes anywhere by itself, and an error takes one line. Help has the vendor's names. */
function talk(command: Command, io: CommandLineIo): void {
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      writeOut: (text) => io.out(withIdentifiers(text, speechOf(command.optsWithGlobals(), io.env).names)),
      writeErr: io.err,
      getOutHelpWidth: () => Math.min(io.width, 100),
      getErrHelpWidth: () => Math.min(io.width, 100),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
}
