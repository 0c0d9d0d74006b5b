/**
 * Converts a JSON Schema to arbitraries of inputs that fit it. For an unknown keyword the value of the known input is
 * used, or an optional member is omitted; if neither is possible there is no arbitrary. No value is generated that
 * the schema does not describe.
 */
import * as fc from 'fast-check'
import type { Json } from '../../../wire/exchange.ts'
import { isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'
import { formatPatterns, textLike } from './schema-text.ts'

export type Schema = Readonly<Record<string, Json>>

const remarks = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]

const keywords = [
  remarks,
  ['$ref', 'type', 'enum', 'const', 'oneOf', 'anyOf', 'format'],
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ['minLength', 'maxLength', 'pattern'],
  ['properties', 'required', 'additionalProperties'],
  ['items', 'minItems', 'maxItems', 'uniqueItems'],
].flat()

/** Keywords with another meaning in an earlier draft, and their meaning here. */
const sinceThen: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  exclusiveMinimum: (value) => typeof value === 'number',
  exclusiveMaximum: (value) => typeof value === 'number',
  required: isArray,
  items: (value) => !isArray(value),
}

/** Keywords that are not understood, so that no value can be generated. */
export function unknownKeywords(schema: Schema): readonly string[] {
  return Object.keys(schema).filter((name) => {
    if (name.startsWith('x-')) return false
    return !keywords.includes(name) || sinceThen[name]?.(schema[name]) === false
  })
}

/** An optional read-only member is not sent: it may be refused. */
export function isForReading(schema: Schema | null): boolean {
  return schema?.['readOnly'] === true
}

/** A schema with its reference resolved within the document; null if it leads nowhere, or in a circle. */
export function resolvedSchema(schema: Json | undefined, root: Schema, depth = 0): Schema | null {
  if (schema === true) return {}
  if (!isObject(schema) || depth > 8) return null
  const { $ref, ...rest } = schema
  if ($ref === undefined) return schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return null
  const found = $ref
    .slice(1)
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((value, step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      return isObject(value) ? value[name] : undefined
    }, root)
  const target = resolvedSchema(found, root, depth + 1)
  return target && { ...target, ...rest }
}

export interface Generation {
  root: Schema
  /** A valid value, used where none can be generated. */
  known: Json | undefined
  name: string
  depth: number
  /** Includes every member that can be generated, and an item in every list. */
  full: boolean
}

type Maybe = fc.Arbitrary<Json> | null

/** Inputs that fit the schema; null if one cannot be generated and none is known. `full`: with all optional members. */
export function inputs(schema: Json | undefined, known: Json, full = false): Maybe {
  const root = resolvedSchema(schema, isObject(schema) ? schema : {})
  return root && values(root, { root: isObject(schema) ? schema : root, known, name: '', depth: 0, full })
}

/** Names of references to existing things, which a schema does not describe. */
const referring = /(?:^|_|[a-z])(?:id|ids|Id|Ids|ID|ref|Ref|slug|url|uri|token|key)$|^(?:id|ref)$/

export function isReferring(name: string): boolean {
  return referring.test(name)
}

/** More than a run draws; a target may list any number. */
const mostChoices = 1_000

export function values(written: Json | undefined, making: Generation): Maybe {
  const { root, known, name, depth } = making
  const fallback = known === undefined ? null : fc.constant(known)
  const schema = resolvedSchema(written, root)
  if (!schema || depth > 6 || unknownKeywords(schema).length > 0) return fallback
  const { enum: choices, const: only } = schema
  // The operator chose the declared values, so a write keeps them.
  if (fallback && referring.test(name)) return fallback
  if (only !== undefined) return fc.constant(only)
  if (isArray(choices))
    return choices.length > 0 ? fc.constantFrom(...choices.slice(0, mostChoices)) : fallback
  const branches = schema['oneOf'] ?? schema['anyOf']
  if (branches !== undefined) return oneOf(branches, schema, making) ?? fallback
  const { type } = schema
  const types = (isArray(type) ? type : [type ?? implied(schema)]).filter((one) => typeof one === 'string')
  if (types.includes('string') && referring.test(name)) return fallback
  const made = types.flatMap((one) => makers[one]?.(schema, making) ?? [])
  return made.length > 0 ? fc.oneof(...made) : fallback
}

/** The type of a schema that declares none but has members or items. */
function implied({ properties, items }: Schema): string {
  if (properties !== undefined) return 'object'
  return items === undefined ? 'unknown' : 'array'
}

/** Unambiguous branches: only annotations beside them, and each with its own type, or a constant. */
function oneOf(branches: Json, schema: Schema, making: Generation): Maybe {
  const beside = Object.keys(schema).filter((name) => !remarks.includes(name))
  if (!isArray(branches) || beside.length > 1) return null
  const marks = branches.map((branch) => markOf(resolvedSchema(branch, making.root)))
  if (marks.includes(null) || new Set(marks).size < marks.length) return null
  const made = branches.map((branch) => values(branch, { ...making, known: undefined }))
  const sure = made.filter((one) => one !== null)
  return sure.length > 0 ? fc.oneof(...sure) : null
}

function markOf(schema: Schema | null): string | null {
  if (!schema) return null
  const { type, const: only } = schema
  if (only !== undefined) return `const ${JSON.stringify(only)}`
  return typeof type === 'string' && type !== 'integer' ? type : type === 'integer' ? 'number' : null
}

type Maker = (schema: Schema, making: Generation) => fc.Arbitrary<Json> | readonly never[]
const none: readonly never[] = []

const makers: Readonly<Record<string, Maker>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: (schema) => whole(schema) ?? none,
  number: (schema) => whole(schema) ?? none,
  string: (schema) => text(schema) ?? none,
  array: (schema, making) => list(schema, making) ?? none,
  object: (schema, making) => members(schema, making) ?? none,
}

export function numberMember(schema: Schema, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}

function whole(schema: Schema): Maybe {
  const bounds = boundsOf(schema)
  const step = numberMember(schema, 'multipleOf') ?? 1
  if (!Number.isInteger(step) || step < 1) return null
  const [least, most] = [Math.ceil(bounds.least / step), Math.floor(bounds.most / step)]
  if (least > most) return null
  const all = fc.integer({ min: least, max: most })
  return fc.oneof(all, fc.constantFrom(least, most)).map((times) => times * step)
}

/** A missing bound is replaced by a common one. */
export function boundsOf(schema: Schema): { least: number; most: number } {
  const above = numberMember(schema, 'exclusiveMinimum')
  const below = numberMember(schema, 'exclusiveMaximum')
  const least = Math.max(
    numberMember(schema, 'minimum') ?? -Infinity,
    above === undefined ? -Infinity : Math.floor(above) + 1,
  )
  const most = Math.min(
    numberMember(schema, 'maximum') ?? Infinity,
    below === undefined ? Infinity : Math.ceil(below) - 1,
  )
  const from = Number.isFinite(least) ? Math.ceil(least) : Math.min(1, Number.isFinite(most) ? most : 1)
  return { least: from, most: Number.isFinite(most) ? Math.floor(most) : Math.max(from, 20) }
}

const longest = 2000

function text(schema: Schema): Maybe {
  const { format, pattern } = schema
  const [least, most] = [numberMember(schema, 'minLength') ?? 0, numberMember(schema, 'maxLength')]
  const fits = ({ length }: string): boolean => length >= least && length <= Math.max(most ?? Infinity, least)
  if (pattern !== undefined || format !== undefined) {
    if (pattern !== undefined && format !== undefined) return null
    const like = pattern ?? (typeof format === 'string' ? formatPatterns[format] : undefined)
    return typeof like === 'string' ? textLike(like, fits) : null
  }
  if (least > longest) return null
  const upper = Math.min(Math.max(most ?? 40, least), longest)
  const length = fc.oneof(fc.integer({ min: least, max: upper }), fc.constantFrom(least, upper))
  return length.map((count) => plainText(count))
}

/** Words of plain ASCII of exactly this length, without whitespace at an end. */
export function plainText(length: number): string {
  const said = 'Please call back about the order of last week '
    .repeat(Math.ceil(length / 40) + 1)
    .slice(0, length)
  return said.endsWith(' ') ? `${said.slice(0, -1)}s` : said
}

export const mostItems = 200

function list(schema: Schema, making: Generation): Maybe {
  const { items, uniqueItems } = schema
  const known = isArray(making.known) ? making.known[0] : undefined
  const item = values(items ?? true, { ...making, known, name: making.name, depth: making.depth + 1 })
  const minLength = numberMember(schema, 'minItems') ?? (making.full && item ? 1 : 0)
  if (minLength > mostItems) return null
  const maxLength = Math.min(
    Math.max(numberMember(schema, 'maxItems') ?? minLength + 3, minLength),
    minLength + 5,
  )
  if (!item) return minLength === 0 ? fc.constant([]) : null
  if (uniqueItems !== true) return fc.array(item, { minLength, maxLength })
  return fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
}

/** The required members, and any of the others; an optional member that cannot be generated is omitted. */
function members(schema: Schema, making: Generation): Maybe {
  const { properties = {}, required = [] } = schema
  if (!isObject(properties) || !isArray(required)) return null
  const known = isObject(making.known) ? making.known : {}
  const made: Record<string, fc.Arbitrary<Json>> = {}
  for (const name of Object.keys(properties)) {
    if (!required.includes(name) && isForReading(resolvedSchema(properties[name], making.root))) continue
    const value = values(properties[name], { ...making, known: known[name], name, depth: making.depth + 1 })
    if (value) made[name] = value
    else if (required.includes(name)) return null
  }
  const mustBe = required.filter((name) => typeof name === 'string')
  if (mustBe.some((name) => !(name in made))) return null
  return fc
    .record(made, { requiredKeys: making.full ? Object.keys(made) : mustBe })
    .map((value) => ({ ...value }))
}

/** In the order of the schema; members with unknown keywords are skipped. */
export function inputEdges(written: Json | undefined, known: Json): readonly Json[] {
  const root = isObject(written) ? written : {}
  const schema = resolvedSchema(written, root)
  const properties = schema?.['properties']
  if (!schema || unknownKeywords(schema).length > 0 || !isObject(known) || !isObject(properties)) return []
  return Object.keys(properties)
    .filter((name) => !isReferring(name) && !isForReading(resolvedSchema(properties[name], root)))
    .flatMap((name) =>
      edgesOf(resolvedSchema(properties[name], root)).map((value) => ({ ...known, [name]: value })),
    )
}

/** The longestEdge text that is worth its bytes. */
const longestEdge = 5000

function edgesOf(schema: Schema | null): readonly Json[] {
  if (!schema || unknownKeywords(schema).length > 0) return []
  const { type, enum: choices, pattern, format } = schema
  if (isArray(choices)) return choices.slice(0, 6)
  if (type === 'integer' || type === 'number')
    return schema['multipleOf'] === undefined ? ofNumber(schema) : []
  if (type === 'boolean') return [true, false]
  if (type === 'array') return (numberMember(schema, 'minItems') ?? 0) === 0 ? [[]] : []
  if (type !== 'string' || pattern !== undefined || format !== undefined) return []
  const lengths = [numberMember(schema, 'minLength'), numberMember(schema, 'maxLength')]
  return lengths.flatMap((length) =>
    length === undefined || length > longestEdge ? [] : [plainText(length)],
  )
}

function ofNumber(schema: Schema): readonly Json[] {
  const { least, most } = boundsOf(schema)
  if (least > most) return []
  const isBound = (...names: readonly string[]) => names.some((name) => schema[name] !== undefined)
  return [
    ...(isBound('minimum', 'exclusiveMinimum') ? [least] : []),
    ...(isBound('maximum', 'exclusiveMaximum') ? [most] : []),
  ]
}
