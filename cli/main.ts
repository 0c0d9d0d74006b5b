/** The command line: every command, by the heading under which `--help` lists it. */
import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import {
  createCommand,
  fullName,
  type CommandContext,
  type CommandGroup,
  type CommandRow,
} from './command.ts'
import { targetRows } from './commands/inspect.ts'
import { reportRows, showRow } from './commands/reports.ts'
import { runRows } from './commands/run.ts'
import { simulateRow, simulatorRows, tailRow } from './commands/simulator.ts'
import { clock } from './control/clock.ts'
import { interpret, snapshot, switches } from './control/switches.ts'
import { tenantRows, trigger } from './control/tenant.ts'
import { exitCodes, failedCommand } from './exit-codes.ts'
import type { Io } from './io.ts'
import { listKinds } from './list/list.ts'
import { alternatives } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import { oneOf } from './values.ts'
import { firstHelp, version } from './version.ts'

/** What one needs first is in the help itself. */
const first = [...runRows, simulateRow, showRow]
/** The rest, by what it is about. */
const groups = {
  target: targetRows,
  evidence: reportRows,
  simulator: simulatorRows,
}
const sim: CommandGroup = {
  name: 'sim',
  description: 'control a running simulator',
  commands: [trigger, tailRow, clock, ...tenantRows, ...switches, interpret, snapshot],
}

/** Runs a command line, without the names of Node and of the script. Returns the exit code, and never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.ok
  try {
    const all = argv.some((word, at) => word === 'all' && argv[at - 1] === '--help')
    const program = createProgram({ io, all, end: (code) => void (exitCode = code) })
    await program.parseAsync([...argv], { from: 'user' })
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
    // A command may have a --version of its own.
    .enablePositionalOptions()
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
  for (const one of [...first, ...Object.values(groups).flat(), sim])
    root.addCommand(createCommand(one, context))
  root
    .command('help [topic...]')
    .description('print help for a command, or for a group of commands')
    .action((topic: readonly string[]) => context.io.out(helpOf(topic, root)))
  root.helpInformation = () => firstHelp
  configure(root, context.io)
  return root
}

const commandLine = ({ name, description }: CommandRow | CommandGroup): string =>
  `  ${name.padEnd(11)} ${description}\n`

/** What took the place of commands that there were, unless it has the same name below `list` or `sim`. */
const successors: Readonly<Record<string, string>> = {
  completion: '--help',
  gate: 'verify --require',
  log: 'report --format history',
  rejudge: 'verify --rejudge --out',
  scenario: 'replies check',
  site: 'report --format history',
}

function replacementOf(word: string): string | undefined {
  if (listKinds.some((kind) => kind === word)) return `list ${word}`
  if (sim.commands.some(({ name }) => name === word)) return `sim ${word}`
  return Object.hasOwn(successors, word) ? successors[word] : undefined
}

/** Throws a UsageError for what there is not. */
function helpOf([word = '', ...inner]: readonly string[], within: Command): string {
  if (word === '') return within.helpInformation()
  if (within.parent === null && Object.hasOwn(groups, word))
    return groups[word as keyof typeof groups].map(commandLine).join('')
  const found = within.commands.find((one) => one.name() === word)
  const names = [...within.commands.map((one) => one.name()), ...(within.parent ? [] : Object.keys(groups))]
  const now = within.parent ? undefined : replacementOf(word)
  const advice = now === undefined ? alternatives(word, names) : `use \`touchstone ${now}\``
  if (!found) throw new UsageError(`help ${word}: unknown command; ${advice}`)
  return inner.length === 0 ? helpText(found) : helpOf(inner, found)
}

/** With what stands below the options, which commander prints apart. */
function helpText(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp()
  return text
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
  for (const option of command.options) {
    if (option.argChoices) option.argParser(oneOf(option.argChoices))
    if (option.required && !option.variadic) option.argParser(withValue(option.parseArg, command))
  }
  for (const inner of command.commands) configure(inner, io)
}

/** Such as `--agent "$AGENT"` of a variable that is not set: no value, or the next option in its place. */
function withValue(parse: Option['parseArg'], command: Command): NonNullable<Option['parseArg']> {
  return <T>(text: string, before: T): T => {
    const isOption = command.options.some(({ long }) => long === text.replace(/=.*/s, ''))
    if (text.trim() === '' || isOption)
      throw new InvalidArgumentError('Give a value, or leave the option out.')
    return parse ? parse(text, before) : (text as T)
  }
}

/** Adds what to do to an error of the parser that does not say it. */
function withRemedy(text: string, command: Command): string {
  if (text.startsWith('error: missing required argument'))
    return `${text}; usage: ${command.createHelp().commandUsage(command)}`
  const [, word = ''] = /^error: unknown command '(.*?)'/.exec(text) ?? []
  const now = command.parent ? undefined : replacementOf(word)
  if (now !== undefined) return `error: unknown command '${word}'; use \`touchstone ${now}\``
  const isBare =
    /^error: (?:required option|unknown (?:option|command)|too many|option '.*' argument missing)/
  return isBare.test(text) && !text.includes('?)')
    ? `${text.replace(/\.$/, '')}; see \`${fullName(command)} --help\``
    : text
}
