/** The command line: every command, by the heading under which `--help` lists it. */
import { Command, CommanderError } from 'commander'
import { baselineCommand } from './baseline/command.ts'
import { checkCommand } from './check/command.ts'
import { certifyCommand } from './certify/command.ts'
import { agentCommands } from './control/agents.ts'
import { listApprovalsCommand, decisionCommands } from './control/approvals.ts'
import { clockCommand } from './control/clock.ts'
import { deliveriesCommand, resendCommand } from './control/deliveries.ts'
import { modificationGroups } from './control/modifications.ts'
import { snapshotGroup } from './control/snapshots.ts'
import { tailCommand } from './control/tail/command.ts'
import { triggerCommand } from './control/trigger.ts'
import { cleanupCommand } from './cleanup/command.ts'
import { clientCommand } from './client/command.ts'
import type { CommandContext } from './command-context.ts'
import { diffCommand } from './diff/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { execCommand } from './exec/command.ts'
import { exitCodes, failedCommand } from './exit-codes.ts'
import { initCommand } from './init/command.ts'
import type { Io } from './io.ts'
import { keygenCommand } from './keygen/command.ts'
import { clausesCommand } from './lists/clauses.ts'
import { gapsCommand, modificationsCommands, scenariosCommand, situationsCommand } from './lists/lists.ts'
import { listenCommand } from './listen/command.ts'
import { mergeCommand } from './merge/command.ts'
import { planCommand } from './plan/command.ts'
import { receiverCommand } from './receiver/command.ts'
import { rejudgeCommand } from './rejudge/command.ts'
import { repliesCommand } from './replies/command.ts'
import { replayCommand } from './replay/command.ts'
import { reportCommand } from './report/command.ts'
import { showCommand } from './show/command.ts'
import { simulateCommand } from './simulate/command.ts'
import { specCommand } from './spec/command.ts'
import { verifyCommand } from './verify/command.ts'
import { UsageError } from './usage-error.ts'
import { oneOf } from './values.ts'
import { version } from './version.ts'

type CommandFactory = (context: CommandContext) => Command | readonly Command[]

const groups: Readonly<Record<string, readonly CommandFactory[]>> = {
  'Run:': [checkCommand, receiverCommand, clientCommand, replayCommand, cleanupCommand],
  'Inspect:': [initCommand, doctorCommand, planCommand, specCommand],
  'Reports:': [
    showCommand,
    reportCommand,
    mergeCommand,
    diffCommand,
    verifyCommand,
    certifyCommand,
    rejudgeCommand,
    baselineCommand,
    keygenCommand,
  ],
  'Simulator:': [simulateCommand, execCommand, listenCommand, repliesCommand],
  'Control a simulator:': [
    triggerCommand,
    tailCommand,
    clockCommand,
    deliveriesCommand,
    resendCommand,
    listApprovalsCommand,
    decisionCommands,
    agentCommands,
    modificationGroups,
    snapshotGroup,
  ],
  'Lists:': [clausesCommand, gapsCommand, scenariosCommand, situationsCommand, modificationsCommands],
}

/** Runs a command line, without the names of Node and of the script. Returns the exit code, and never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.ok
  try {
    const formats = argv.includes('report') ? await formatNames() : []
    const context: CommandContext = { io, formats, end: (code) => void (exitCode = code) }
    await createProgram(context).parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, io)
  }
}

/** Loaded only for the command whose help lists them. */
async function formatNames(): Promise<readonly string[]> {
  const { formats } = await import('../reports/formats/index.ts')
  return formats.map(({ name }) => name)
}

export function createProgram(context: CommandContext): Command {
  const root = new Command('touchstone')
    .description('Check a chat service against its contract, or simulate one that conforms.')
    // A command may have a --version of its own.
    .enablePositionalOptions()
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
  for (const [heading, factories] of Object.entries(groups))
    for (const command of factories.flatMap((create) => create(context)))
      root.addCommand(command.helpOption('-h, --help', 'print help').helpGroup(heading))
  root.hook('preAction', (_, command) => refuseEmptyOptions(command))
  const all = [root, ...root.commands, ...root.commands.flatMap((command) => command.commands)]
  for (const command of all) configure(command, context.io)
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

/** Such as `--agent "$AGENT"` of a variable that is not set. Throws a UsageError. */
function refuseEmptyOptions(command: Command): void {
  const empty = command.options.find(
    (option) => option.required && command.getOptionValue(option.attributeName()) === '',
  )
  if (empty) throw new UsageError(`${empty.long} is empty: give a value, or leave the option out.`)
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

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}

function reportError(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  const { exitCode, text } = failedCommand(error)
  io.err(`${text}\n`)
  return exitCode
}
