/** A target file with a comment for each key, generated from the schema. Keys without a value are commented out. */
import { isObject } from '../../spec/json.ts'
import { stringify } from 'yaml'
import { wrapped } from '../command.ts'
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
  const commented = (text: string, place: Place): readonly string[] =>
    text === '' ? [] : wrapped(text, 96 - place.indent).map((line) => indented(`# ${line}`, place))
  const entry = (key: string, place: Place): readonly string[] => {
    const { node, given: value, indent } = place
    const commentColumn = place.commentColumn ?? (value === undefined ? indent : null)
    const here = { ...place, commentColumn }
    const above = commented(comments[key] ?? whole(node).description ?? '', here)
    const inner = { ...here, indent: indent + 2 }
    if (isListOfTables(value)) {
      // One entry per line, each with its comment.
      const lines = value.flatMap((one) => [
        ...commented(comments[flow(one)] ?? '', inner),
        indented(`- ${flow(one)}`, inner),
      ])
      return [...above, indented(`${key}:`, here), ...lines]
    }
    // A state provider, or a key with a default, is written on one line.
    const isLeaf = isObject(value) ? 'provide' in value : whole(node).default !== undefined
    const children = isLeaf ? [] : childrenOf(node, value)
    if (children.length === 0)
      return [...above, indented(`${key}: ${flow(value === undefined ? sampleOf(node) : value)}`, here)]
    const below = children.flatMap(([name, child, own]) => entry(name, { ...inner, node: child, given: own }))
    return [...above, indented(`${key}:`, here), ...below]
  }
  return Object.entries(namedIn(rootNode)).flatMap(([key, node]) =>
    key === '$schema' ? [] : ['', ...entry(key, { node, given: given[key], indent: 0, commentColumn: null })],
  )
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
const isOneEvent = (name: string): boolean => /^(?:no-)?event\.\w/.test(name)

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
export const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim()

function isListOfTables(value: unknown): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}
