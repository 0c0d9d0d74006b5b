/** Inputs with a single defect: each differs in one value from an accepted one, and does not fit the schema. */
import * as fc from 'fast-check'
import type { Json } from '../../../wire/exchange.ts'
import { isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'
import {
  mostItems,
  numberMember,
  plainText,
  resolvedSchema,
  unknownKeywords,
  values,
  type Schema,
} from './schema-input.ts'
import { matchesPattern } from './schema-text.ts'

export interface InputDefect {
  what: string
  input: Json
}

interface Spot {
  root: Schema
  at: string
  name: string
}

type Spoiled = readonly [what: string, value: Json]

/** Every single defect of a valid input, in the order of the schema. Keywords that are not understood are skipped. */
export function inputDefects(schema: Json | undefined, accepted: Json): readonly InputDefect[] {
  if (!isObject(schema)) return []
  return spoil(schema, accepted, { root: schema, at: '', name: '' }).map(([what, input]) => ({ what, input }))
}

function spoil(written: Json | undefined, value: Json, spot: Spot): readonly Spoiled[] {
  const schema = resolvedSchema(written, spot.root)
  if (!schema || unknownKeywords(schema).length > 0) return []
  // A value that fits no longer one branch may fit another, so it is uncertain.
  if (schema['oneOf'] !== undefined || schema['anyOf'] !== undefined) return []
  const own = ownDefects(schema, value, spot).map(([what, bad]): Spoiled => [
    `${spot.at || 'the input'} ${what}`,
    bad,
  ])
  return [...own, ...inner(schema, value, spot)]
}

function ownDefects(schema: Schema, value: Json, spot: Spot): readonly Spoiled[] {
  const { enum: choices, const: only, type } = schema
  if (only !== undefined || isArray(choices)) return [['none of those allowed', 'touchstone-none']]
  const others = typeof type === 'string' ? (otherType[type] ?? []) : []
  return [...others, ...ofValue(schema, value, spot)]
}

/** No server can confuse these, however lenient. */
const otherType: Readonly<Record<string, readonly Spoiled[]>> = {
  string: [['an object for a text', { unexpected: true }]],
  integer: [['a word for a number', 'several']],
  number: [['a word for a number', 'several']],
  boolean: [['a word for a truth value', 'perhaps']],
  array: [['a word for a list', 'several']],
  object: [['a word for an object', 'several']],
}

function ofValue(schema: Schema, value: Json, spot: Spot): readonly Spoiled[] {
  if (typeof value === 'string') return ofText(schema, value)
  if (typeof value === 'number') return ofNumber(schema)
  if (isArray(value)) return ofList(schema, value, spot)
  return isObject(value) ? ofMembers(schema, value) : []
}

function ofText(schema: Schema, value: string): readonly Spoiled[] {
  const [least, most] = [numberMember(schema, 'minLength') ?? 0, numberMember(schema, 'maxLength')]
  const { pattern } = schema
  const strange = typeof pattern === 'string' ? unlike(pattern, value) : null
  return [
    ...(least > 0 && pattern === undefined ? [['too short', value.slice(0, least - 1)] as const] : []),
    ...(most !== undefined && pattern === undefined ? [['too long', plainText(most + 1)] as const] : []),
    ...(strange === null ? [] : [['unlike its pattern', strange] as const]),
  ]
}

/** A string that differs from a matching one at its end, at its beginning or entirely, and does not match. */
function unlike(pattern: string, value: string): string | null {
  return [`${value}!`, `!${value}`, '!', ''].find((text) => matchesPattern(pattern, text) === false) ?? null
}

function ofNumber(schema: Schema): readonly Spoiled[] {
  const bound = (name: string, step: number, what: string): readonly Spoiled[] => {
    const value = numberMember(schema, name)
    return value === undefined ? [] : [[what, value + step]]
  }
  return [
    ...bound('minimum', -1, 'below its bound'),
    ...bound('maximum', 1, 'above its bound'),
    ...bound('exclusiveMinimum', 0, 'at a bound that is excluded'),
    ...bound('exclusiveMaximum', 0, 'at a bound that is excluded'),
    ...(schema['type'] === 'integer'
      ? [['a fraction', (numberMember(schema, 'minimum') ?? 1) + 0.5] as const]
      : []),
  ]
}

function ofList(schema: Schema, value: readonly Json[], { root, name }: Spot): readonly Spoiled[] {
  const [least, most] = [numberMember(schema, 'minItems') ?? 0, numberMember(schema, 'maxItems')]
  const [first] = value
  const twice = schema['uniqueItems'] === true && first !== undefined && (most ?? 2) > 1
  const many = most === undefined ? null : itemsOf(schema, most + 1, root, name, first)
  return [
    ...(least > 0 ? [['too few items', value.slice(0, least - 1)] as const] : []),
    ...(many ? [['too many items', many] as const] : []),
    ...(twice ? [['an item twice', [first, first]] as const] : []),
  ]
}

/** This many different valid items; null if they cannot be generated. */
function itemsOf(
  schema: Schema,
  count: number,
  root: Schema,
  name: string,
  known: Json | undefined,
): Json | null {
  if (count > mostItems) return null
  if (schema['uniqueItems'] !== true)
    return known === undefined ? null : Array.from({ length: count }, () => known)
  const item = values(schema['items'] ?? true, { root, known, name, depth: 1, full: false })
  if (!item) return null
  const found = new Map(
    fc.sample(item, { seed: 1, numRuns: 10 * count }).map((one) => [JSON.stringify(one), one]),
  )
  return found.size < count ? null : [...found.values()].slice(0, count)
}

/** A lenient server ignores unknown members. */
export const unknownMember = 'with a member that it does not know'

function ofMembers(schema: Schema, value: Readonly<Record<string, Json>>): readonly Spoiled[] {
  const { required = [], additionalProperties } = schema
  const names = isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const missing = names
    .filter((name) => name in value)
    .map((name): Spoiled => {
      const { [name]: _gone, ...rest } = value
      return [`without ${name}`, rest]
    })
  const extra: readonly Spoiled[] =
    additionalProperties === false && schema['patternProperties'] === undefined
      ? [[unknownMember, { ...value, touchstoneUnknown: true }]]
      : []
  return [...missing, ...extra]
}

function inner(schema: Schema, value: Json, { root, at }: Spot): readonly Spoiled[] {
  const { properties, items } = schema
  if (isObject(value) && isObject(properties))
    return Object.entries(value).flatMap(([name, one]) => {
      if (!(name in properties)) return []
      const found = spoil(properties[name], one, { root, at: `${at}/${name}`, name })
      return found.map(([what, bad]): Spoiled => [what, { ...value, [name]: bad }])
    })
  const [first, ...rest] = isArray(value) ? value : []
  if (first === undefined || items === undefined) return []
  const found = spoil(items, first, { root, at: `${at}/0`, name: '' })
  return found.map(([what, bad]): Spoiled => [what, [bad, ...rest]])
}
