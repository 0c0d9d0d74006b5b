/** Commands as rows: a row becomes a command of the parser, and what its function answers is printed here. */
import { Command, Option } from 'commander'
import { wrap } from '../reports/visible.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { oneOf } from './values.ts'

export interface CommandContext {
  io: Io
  /** Whether a help has all options, rare ones too. */
  all?: boolean
  /** Sets the exit code; 0 if it is never called. */
  end: (exitCode: number) => void
}

/** What a command prints; one that prints while it runs returns its exit code. */
export interface CommandAnswer {
  exitCode?: number
  text?: string | (() => string)
  /** Printed instead of the text with `--json`. */
  json?: unknown
  note?: string
}

/** A parser, or the values that there are. */
type Reader = ((text: string, before?: never) => unknown) | readonly string[]

interface Settings {
  as?: Reader
  default?: unknown
  /** The default, as the help has it. */
  shown?: string
  required?: true
  conflicts?: readonly string[]
  implies?: Readonly<Record<string, unknown>>
}

export type Flag = readonly [flags: string, description: string, how?: Reader | Settings]

type NameOf<F> = F extends `--no-${infer N}` ? Camel<N> : F extends `--${infer N}` ? Camel<N> : never
type Camel<N> = N extends `${infer W} ${string}`
  ? Camel<W>
  : N extends `${infer A}-${infer B}`
    ? `${A}${Capitalize<Camel<B>>}`
    : N & string
type ReaderOf<F> = F extends readonly [string, string, infer H] ? (H extends { as: infer R } ? R : H) : never
type ValueOf<F extends Flag> = F[0] extends `--no-${string}`
  ? boolean
  : F[0] extends `${string}...>`
    ? readonly string[]
    : F[0] extends `${string}<${string}`
      ? [ReaderOf<F>] extends [never]
        ? string
        : ReaderOf<F> extends (...words: never) => infer V
          ? V
          : ReaderOf<F> extends readonly (infer V)[]
            ? V
            : string
      : boolean
type IsGiven<F extends Flag> = F[0] extends `--no-${string}`
  ? true
  : F[2] extends { default: unknown } | { required: true }
    ? true
    : false

/** The options of a command line by their flags: always there with a default, if required, and where `--no-` is the flag. */
export type OptionsOf<L extends readonly Flag[]> = {
  [F in L[number] as IsGiven<F> extends true ? NameOf<F[0]> : never]: ValueOf<F>
} & { [F in L[number] as IsGiven<F> extends true ? never : NameOf<F[0]>]?: ValueOf<F> }

export const flags = <const L extends readonly Flag[]>(list: L): L => list

export interface CommandRow<L extends readonly Flag[] = readonly Flag[]> {
  readonly name: string
  readonly description: string
  /** Flags such as `<event>` or `[names...]`, a description, and the default. */
  readonly argument?: readonly [flags: string, description: string, usual?: string | readonly string[]]
  readonly other?: readonly [flags: string, description: string]
  readonly options?: L
  /** Below the options. */
  readonly help?: string
  /** What only `--help all` has, before it. */
  readonly more?: string
  readonly compact?: true
  /** Throws a UsageError for what the user has to change. */
  run(
    words: readonly string[],
    options: OptionsOf<L>,
    io: Io,
  ): CommandAnswer | number | void | Promise<CommandAnswer | number | void>
}

/** Several commands below one name, such as `fault on`. */
export interface CommandGroup {
  readonly name: string
  readonly description: string
  readonly commands: readonly (CommandRow | CommandGroup)[]
}

export const row = <const L extends readonly Flag[] = []>(one: CommandRow<L>): CommandRow => one

export const targetArgument = [
  '[target]',
  '`simulator`, or a target file (default: touchstone.yaml, if it is there)',
] as const

export const printedJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Of the program and its groups, too. */
export const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

export function createCommand(one: CommandRow | CommandGroup, context: CommandContext): Command {
  const command = new Command(one.name).description(one.description).helpOption('-h, --help', 'print help')
  if ('commands' in one) {
    for (const inner of one.commands) command.addCommand(createCommand(inner, context))
    return command.helpCommand(false)
  }
  if (one.argument) command.argument(...one.argument)
  if (one.other) command.argument(...one.other)
  const options = (one.options ?? []).map(optionOf)
  const isHidden = ({ long }: Option): boolean =>
    context.all !== true && options.length > mostShown && rare.has(long ?? '')
  for (const option of options) command.addOption(option.hideHelp(isHidden(option)))
  const isShort = one.more !== undefined || options.some(isHidden)
  if (isShort && !context.all)
    command.addHelpText('after', ({ command: own }) => `\nAll options: ${fullName(own)} --help all`)
  if (context.all && one.more) command.addHelpText('after', one.more)
  if (one.help) command.addHelpText('after', one.help)
  return command.action(async () => {
    const { io, end } = context
    const words = command.processedArgs.flat().filter((word) => word !== undefined)
    const answer = (await one.run(words, command.opts(), io)) ?? {}
    if (typeof answer === 'number') return end(answer)
    const { text = '', json, note, exitCode = exitCodes.ok } = answer
    end(exitCode)
    if (json !== undefined && command.opts()['json'])
      return io.out(one.compact ? `${JSON.stringify(json)}\n` : printedJson(json))
    io.out(typeof text === 'string' ? text : text())
    if (note !== undefined) io.err(note)
  })
}

/** So many options fit on a screen with their examples; of more, these are shown by `--help all`. */
const mostShown = 10
export const rare: ReadonlySet<string> = new Set(
  `--shard --seed --max-requests --max-turns --max-credits --max-minutes --legacy --allow-exec --identifier --variant
  --interpret --no-trace --clause-set --since --sign-key --no-origin --disclose-webhook-secrets --verbose --policy
  --read-only --fail-fast --name-server --limit --drain --store --snapshot --no-console --no-control --control-token
  --host --allow-target --coverage --parallel --name --quiet`.split(/\s+/),
)

function optionOf([named, description, how = {}]: Flag): Option {
  const settings = (typeof how === 'function' || Array.isArray(how) ? { as: how } : how) as Settings
  const { as, shown, required = false, conflicts = [], implies = {} } = settings
  const option = new Option(named, description).makeOptionMandatory(required).conflicts([...conflicts])
  if (Array.isArray(as)) option.choices(as).argParser(oneOf(as))
  else if (as) option.argParser(as as (text: string) => unknown)
  return ('default' in settings ? option.default(settings.default, shown) : option).implies({ ...implies })
}

/** A heading, and below it wrapped paragraphs. */
export function listEntry(heading: string, paragraphs: readonly string[], width: number): string {
  const lines = paragraphs.flatMap((one) => wrap(one, Math.max(30, Math.min(width, 100) - 4)))
  return `${heading}\n${lines.map((line) => `    ${line}\n`).join('')}`
}
