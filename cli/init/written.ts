/** A target file with a comment for each key, made from the schema: what is not given stands there commented out. */
import { stringify } from 'yaml'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from '../../suites/config/file/schema.ts'

interface Place {
  node: SchemaNode
  given: unknown
  /** Columns. */
  indent: number
  /** The column at which it is commented out, or null. */
  off: number | null
}

type Table = Readonly<Record<string, unknown>>

/** Lines of YAML, but for the schema, which the head names. `given`: values by key, as in the file; `comments`: words, by key or for an entry of a list by its own text, for what the schema does not explain. */
export function written(given: Table, comments: Readonly<Record<string, string>>): readonly string[] {
  const keys = Object.entries(namedIn(rootNode)).filter(([key]) => key !== '$schema')
  return keys.flatMap(([key, node]) => [
    '',
    ...entry(key, { node, given: given[key], indent: 0, off: null }, comments),
  ])
}

function entry(key: string, place: Place, comments: Readonly<Record<string, string>>): readonly string[] {
  const { node, given, indent } = place
  const off = place.off ?? (given === undefined ? indent : null)
  const here = { ...place, off }
  const text = comments[key] ?? whole(node).description ?? ''
  const above = wrapped(text, 96 - indent).map((line) => placed(`# ${line}`, here))
  if (isListOfTables(given)) return [...above, placed(`${key}:`, here), ...listed(given, here, comments)]
  const children = isLeaf(node, given) ? [] : childrenOf(node, given)
  if (children.length === 0)
    return [...above, placed(`${key}: ${flow(given === undefined ? sample(node) : given)}`, here)]
  const below = children.flatMap(([name, child, value]) =>
    entry(name, { node: child, given: value, indent: indent + 2, off }, comments),
  )
  return [...above, placed(`${key}:`, here), ...below]
}

/** An entry to a line, each with its comment. */
function listed(
  entries: readonly Table[],
  place: Place,
  comments: Readonly<Record<string, string>>,
): readonly string[] {
  const within = { ...place, indent: place.indent + 2 }
  return entries.flatMap((one) => [
    ...wrapped(comments[flow(one)] ?? '', 96 - within.indent).map((line) => placed(`# ${line}`, within)),
    placed(`- ${flow(one)}`, within),
  ])
}

/** How a state comes about is said in one line, and an empty list of a default too. */
function isLeaf(node: SchemaNode, given: unknown): boolean {
  return isTable(given) ? 'provide' in given : whole(node).default !== undefined
}

type Child = readonly [name: string, node: SchemaNode, given: unknown]

function childrenOf(node: SchemaNode, given: unknown): readonly Child[] {
  const table = isTable(given) ? given : {}
  const named = namedIn(node)
  const own = openIn(node)
  const known = Object.entries(named)
    .map(([name, child]) => [name, child, table[name]] as const)
    .filter(([name, , value]) => value !== undefined || !isOneEvent(name))
  if (!own) return known
  const further = Object.keys(table).filter((name) => !(name in named))
  const names = further.length > 0 || known.length > 0 ? further : ['example']
  return [...known, ...names.map((name) => [name, own, table[name]] as const)]
}

/** `event.*`, and `no-event.*`, stand for all of them. */
function isOneEvent(name: string): boolean {
  return /^(?:no-)?event\.\w/.test(name)
}

/** Without its number sign, a line that is commented out stands where it belongs. */
function placed(text: string, { indent, off }: Place): string {
  if (off === null) return `${' '.repeat(indent)}${text}`
  return `${' '.repeat(off)}#${' '.repeat(indent - off)}${text}`
}

const samples: Readonly<Record<string, unknown>> = {
  value: 'env:NAME',
  secret: 'env:NAME',
  pointer: '/member',
  route: '/api/v1/path',
  string: 'text',
  number: 1,
  integer: 1,
  boolean: false,
}

function sample(node: SchemaNode): unknown {
  const { default: usual, examples, enum: choices, const: only, type, items } = whole(node)
  if (usual !== undefined) return usual
  if (examples) return examples[0]
  if (only !== undefined || choices) return only ?? choices?.[0]
  if (type === 'array') return [sample(items ?? {})]
  return samples[node.$ref?.replace('#/$defs/', '') ?? ''] ?? samples[String(type)] ?? {}
}

/** In one line. */
export function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim()
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter((one) => one !== '')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOfTables(value: unknown): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTable)
}
