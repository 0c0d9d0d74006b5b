/** What the last word of a command line can be. */

/** A candidate and its description. */
export type Candidate = readonly [word: string, description: string]

export interface CompletionTable {
  readonly root: CommandNode
  /** Names of a kind. */
  readonly names: (kind: string) => readonly Candidate[]
}

export interface CommandNode {
  readonly description: string
  readonly commands: Readonly<Record<string, CommandNode>>
  readonly options: readonly OptionNode[]
  /** What each argument can be; null for file names and free texts. */
  readonly arguments: readonly (Values | null)[]
  /** The last argument can be repeated. */
  readonly variadic: boolean
}

export interface OptionNode {
  readonly names: readonly string[]
  readonly description: string
  /** Absent for an option without a value; null for file names and free texts. */
  readonly value?: Values | null
}

/** A kind of names, or the values. */
export type Values = string | readonly string[]

export function candidates(words: readonly string[], table: CompletionTable): readonly Candidate[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  if (before.includes('--')) return []
  const { node, place, option } = positionAfter(before, table.root)
  if (option) return matching(option.value, current, table)
  const [, name = '', value] = /^(--[^=]+)=(.*)$/.exec(current) ?? []
  if (value !== undefined)
    return matching(optionOf(node, name)?.value, value, table).map(([word, text]) => [
      `${name}=${word}`,
      text,
    ])
  if (current.startsWith('-')) return starting(current, optionCandidates(node))
  const commands = Object.entries(node.commands)
  if (commands.length > 0 && place === 0)
    return starting(
      current,
      commands.map(([word, { description }]) => [word, description]),
    )
  const last = node.variadic ? node.arguments.length - 1 : place
  return matching(node.arguments[Math.min(place, last)], current, table)
}

interface Position {
  readonly node: CommandNode
  /** Arguments before this one. */
  readonly place: number
  /** The option that the next word is a value of. */
  readonly option?: OptionNode
}

function positionAfter(words: readonly string[], root: CommandNode): Position {
  return words.reduce<Position>(
    ({ node, place, option }, word) => {
      if (option) return { node, place }
      const named = word.startsWith('-') ? optionOf(node, word) : undefined
      if (named?.value !== undefined) return { node, place, option: named }
      if (word.startsWith('-')) return { node, place }
      const command = place === 0 && Object.hasOwn(node.commands, word) ? node.commands[word] : undefined
      return command ? { node: command, place: 0 } : { node, place: place + 1 }
    },
    { node: root, place: 0 },
  )
}

const optionOf = ({ options }: CommandNode, name: string): OptionNode | undefined =>
  options.find(({ names }) => names.includes(name))

const optionCandidates = ({ options }: CommandNode): readonly Candidate[] =>
  options.map(({ names, description }) => [names.at(-1) ?? '', description])

const starting = (current: string, all: readonly Candidate[]): readonly Candidate[] =>
  all.filter(([word]) => word.startsWith(current))

/** Several values can be given with commas between. */
function matching(
  values: Values | null | undefined,
  current: string,
  table: CompletionTable,
): readonly Candidate[] {
  if (values === null || values === undefined) return []
  const all = typeof values === 'string' ? table.names(values) : values.map((word) => [word, ''] as const)
  const given = current.slice(0, current.lastIndexOf(',') + 1)
  return starting(current.slice(given.length), all).map(([word, text]) => [given + word, text])
}
