/** A target file with a comment for each key, generated from the schema. Keys without a value are commented out. */
import { isObject } from '../../spec/json.ts'
import { stringify } from 'yaml'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from '../../suites/config/file/schema.ts'

interface Place {
  node: SchemaNode
  given: unknown
  /** Columns. */
  indent: number
  /** The column of the `#`, or null if the entry is not commented out. */
  commentColumn: number | null
}

type Table = Readonly<Record<string, unknown>>

/**
 * Lines of YAML, without `$schema`. `given`: values by key. `comments`: comments that the schema lacks, by key, or for an
 * entry of a list by its text.
 */
export function targetFileText(given: Table, comments: Readonly<Record<string, string>>): readonly string[] {
  const keys = Object.entries(namedIn(rootNode)).filter(([key]) => key !== '$schema')
  return keys.flatMap(([key, node]) => [
    '',
    ...entry(key, { node, given: given[key], indent: 0, commentColumn: null }, comments),
  ])
}

function entry(key: string, place: Place, comments: Readonly<Record<string, string>>): readonly string[] {
  const { node, given, indent } = place
  const commentColumn = place.commentColumn ?? (given === undefined ? indent : null)
  const here = { ...place, commentColumn }
  const text = comments[key] ?? whole(node).description ?? ''
  const above = wrapped(text, 96 - indent).map((line) => indented(`# ${line}`, here))
  if (isListOfTables(given)) return [...above, indented(`${key}:`, here), ...listLines(given, here, comments)]
  const children = isLeaf(node, given) ? [] : childrenOf(node, given)
  if (children.length === 0)
    return [...above, indented(`${key}: ${flow(given === undefined ? sampleOf(node) : given)}`, here)]
  const below = children.flatMap(([name, child, value]) =>
    entry(name, { node: child, given: value, indent: indent + 2, commentColumn }, comments),
  )
  return [...above, indented(`${key}:`, here), ...below]
}

/** One entry per line, each with its comment. */
function listLines(
  entries: readonly Table[],
  place: Place,
  comments: Readonly<Record<string, string>>,
): readonly string[] {
  const within = { ...place, indent: place.indent + 2 }
  return entries.flatMap((one) => [
    ...wrapped(comments[flow(one)] ?? '', 96 - within.indent).map((line) => indented(`# ${line}`, within)),
    indented(`- ${flow(one)}`, within),
  ])
}

/** A state provider, or a key with a default, is written on one line. */
function isLeaf(node: SchemaNode, given: unknown): boolean {
  return isObject(given) ? 'provide' in given : whole(node).default !== undefined
}

type Child = readonly [name: string, node: SchemaNode, given: unknown]

function childrenOf(node: SchemaNode, given: unknown): readonly Child[] {
  const table = isObject(given) ? given : {}
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

/** `event.*` and `no-event.*` represent all of them. */
function isOneEvent(name: string): boolean {
  return /^(?:no-)?event\.\w/.test(name)
}

/** If the `#` is removed, a commented line has the right indentation. */
function indented(text: string, { indent, commentColumn }: Place): string {
  if (commentColumn === null) return `${' '.repeat(indent)}${text}`
  return `${' '.repeat(commentColumn)}#${' '.repeat(indent - commentColumn)}${text}`
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

function sampleOf(node: SchemaNode): unknown {
  const { default: usual, examples, enum: choices, const: only, type, items } = whole(node)
  if (usual !== undefined) return usual
  if (examples) return examples[0]
  if (only !== undefined || choices) return only ?? choices?.[0]
  if (type === 'array') return [sampleOf(items ?? {})]
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

function isListOfTables(value: unknown): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}
