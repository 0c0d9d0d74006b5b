/** The table that completion reads: commands and options of the program, and the names that they accept. */
import type { Argument, Command, Option } from 'commander'
import { formats } from '../../reports/formats/index.ts'
import { faults, situations, variants } from '../../simulator/index.ts'
import { agentFixtures } from '../../simulator/tenant/fixtures.ts'
import { clauseIds, clauseSets, clauses, gapIds, gaps, webhookEvents, type Gap } from '../../spec/index.ts'
import { optIns } from '../../suites/config/target.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import { createProgram } from '../main.ts'
import { processIo } from '../process-io.ts'
import type { Candidate, CommandNode, CompletionTable, OptionNode, Values } from './candidates.ts'

/** Names that options and arguments accept, by the option, or by the command and the argument. */
const accepted: Readonly<Record<string, string>> = {
  '--fault': 'faults',
  '--variant': 'variants',
  '--interpret': 'interpretations',
  '--situation': 'situations',
  '--events': 'events',
  '--format': 'formats',
  '--opt-in': 'optIns',
  '--clause-set': 'clauseSets',
  'clauses --diff': 'clauseSets',
  'check --only': 'checks',
  'trigger --agent': 'agents',
  'trigger event': 'events',
  'clock action': 'clock',
  'pause agent': 'agents',
  'resume agent': 'agents',
  'fault on names': 'faults',
  'fault off names': 'faults',
  'variant on names': 'variants',
  'variant off names': 'variants',
  'interpret choices': 'interpretations',
}

const names: Readonly<Record<string, readonly Candidate[]>> = {
  faults: described(faults, ({ title }) => title),
  variants: described(variants, ({ title }) => title),
  interpretations: gapIds.flatMap((id) =>
    described<string>((gaps[id] satisfies Gap).interpretations, (text) => text).map(
      ([name, text]): Candidate => [`${id}=${name}`, text],
    ),
  ),
  situations: described(situations, ({ title }) => title),
  events: described<string>(webhookEvents, (meaning) => meaning),
  formats: formats.map(({ name }) => [name, '']),
  clauseSets: Object.keys(clauseSets).map((name) => [name, '']),
  optIns: optIns.map((name) => [name, '']),
  checks: [
    ...clauseIds.map((id): Candidate => [id, clauses[id].text]),
    ...described(serverScenarios, ({ title }) => title),
  ],
  agents: Object.keys(agentFixtures).map((role) => [role, '']),
  clock: ['next', 'freeze', 'set', 'scale', 'real'].map((action) => [action, '']),
}

export function completionTable(): CompletionTable {
  const root = createProgram({ io: processIo(), end: () => undefined })
  const help: CommandNode = {
    ...empty,
    description: 'print help for a command',
    arguments: [root.commands.map((one) => one.name())],
  }
  const node = nodeOf(root, '')
  return { root: { ...node, commands: { ...node.commands, help } }, names: (kind) => names[kind] ?? [] }
}

/** The table as the package has it: a line for the commands, and one for each kind of names. */
export function completionFile(): string {
  const lists = Object.entries(names).map(([kind, list]) => `${kind} ${JSON.stringify(list)}`)
  return [JSON.stringify(completionTable().root), ...lists].join('\n')
}

const empty: CommandNode = { description: '', commands: {}, options: [], arguments: [], variadic: false }

function nodeOf(command: Command, path: string): CommandNode {
  const children = command.commands.map(
    (child) => [child.name(), nodeOf(child, `${path}${child.name()} `)] as const,
  )
  const { registeredArguments: given } = command
  return {
    description: command.description(),
    commands: Object.fromEntries(children),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => optionNode(option, path)),
    arguments: given.map((argument) => valuesOf(argument, path, argument.name())),
    variadic: given.at(-1)?.variadic ?? false,
  }
}

function optionNode(option: Option, path: string): OptionNode {
  const { short, long = '', description, required } = option
  const named = { names: [...(short === undefined ? [] : [short]), long], description }
  return required ? { ...named, value: valuesOf(option, path, long) } : named
}

const valuesOf = ({ argChoices }: Option | Argument, path: string, name: string): Values | null =>
  argChoices ?? accepted[path + name] ?? accepted[name] ?? null

function described<T>(rows: Readonly<Record<string, T>>, textOf: (row: T) => string): readonly Candidate[] {
  return Object.entries(rows).map(([name, row]) => [name, textOf(row)])
}
