/** The command line: every command, by the heading under which `--help` lists it. */
import { Command, CommanderError, type Option } from 'commander'
import { createCommand, type CommandContext, type CommandGroup, type CommandRow } from './command.ts'
import { inspectRows, listRows } from './commands/inspect.ts'
import { reportRows } from './commands/reports.ts'
import { runRows } from './commands/run.ts'
import { simulatorRows, tailRow } from './commands/simulator.ts'
import { clock } from './control/clock.ts'
import { interpret, snapshot, switches } from './control/switches.ts'
import { tenantRows, trigger } from './control/tenant.ts'
import { exitCodes, failedCommand } from './exit-codes.ts'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'
import { oneOf } from './values.ts'
import { version } from './version.ts'

const groups: Readonly<Record<string, readonly (CommandRow | CommandGroup)[]>> = {
  'Run:': runRows,
  'Inspect:': inspectRows,
  'Reports:': reportRows,
  'Simulator:': simulatorRows,
  'Control a simulator:': [trigger, tailRow, clock, ...tenantRows, ...switches, interpret, snapshot],
  'Lists:': listRows,
}

/** Runs a command line, without the names of Node and of the script. Returns the exit code, and never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.ok
  try {
    await createProgram({ io, end: (code) => void (exitCode = code) }).parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { exitCode: code, text } = failedCommand(error)
    io.err(`${text}\n`)
    return code
  }
}

export function createProgram(context: CommandContext): Command {
  const root = new Command('touchstone')
    .description('Check a chat service against its contract, or simulate one that conforms.')
    // A command may have a --version of its own.
    .enablePositionalOptions()
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
  for (const [heading, all] of Object.entries(groups))
    for (const one of all) root.addCommand(createCommand(one, context).helpGroup(heading))
  root.hook('preAction', (_, command) => {
    // Such as `--agent "$AGENT"` of a variable that is not set.
    const isEmpty = (option: Option): boolean =>
      option.required && command.getOptionValue(option.attributeName()) === ''
    const empty = command.options.find(isEmpty)
    if (empty) throw new UsageError(`${empty.long} is empty: give a value, or leave the option out.`)
  })
  const commands = [root, ...root.commands, ...root.commands.flatMap((command) => command.commands)]
  for (const command of commands) configure(command, context.io)
  return root
}

/** No command ends the process or writes to its streams, and an error is printed on one line. */
function configure(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => Math.min(io.width, 100),
      getErrHelpWidth: () => Math.min(io.width, 100),
      outputError: (text, write) => write(`${withRemedy(text.trim().replaceAll('\n', ' '), command)}\n`),
    })
  for (const option of command.options) if (option.argChoices) option.argParser(oneOf(option.argChoices))
}

/** Adds what to do to an error of the parser that does not say it. */
function withRemedy(text: string, command: Command): string {
  if (text.startsWith('error: missing required argument'))
    return `${text}; usage: ${command.createHelp().commandUsage(command)}`
  const isBare =
    /^error: (?:required option|unknown (?:option|command)|too many|option '.*' argument missing)/
  return isBare.test(text) && !text.includes('?)')
    ? `${text.replace(/\.$/, '')}; see \`${fullName(command)} --help\``
    : text
}

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
