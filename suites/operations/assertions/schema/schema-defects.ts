/** Inputs with a single defect: each differs from one that was accepted in one thing, and does not fit the schema. */
import * as fc from 'fast-check'
import type { Json } from '../../../wire/json.ts'
import { isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'
import {
  mostItems,
  numberIn,
  plainText,
  resolved,
  unknownKeywords,
  values,
  type Schema,
} from './schema-input.ts'
import { matches } from './schema-text.ts'

export interface InputDefect {
  /** Where, and what is wrong there. */
  what: string
  input: Json
}

interface Spot {
  root: Schema
  at: string
  name: string
}

/** A value in the place of another, and what is wrong with it. */
type Spoiled = readonly [what: string, value: Json]

/** Every single defect of an input that fits, in the order of the schema. What is not understood is left alone. */
export function inputDefects(schema: Json | undefined, accepted: Json): readonly InputDefect[] {
  if (!isObject(schema)) return []
  return spoil(schema, accepted, { root: schema, at: '', name: '' }).map(([what, input]) => ({ what, input }))
}

function spoil(written: Json | undefined, value: Json, spot: Spot): readonly Spoiled[] {
  const schema = resolved(written, spot.root)
  if (!schema || unknownKeywords(schema).length > 0) return []
  // What fits no branch may still fit another: nothing is certain there.
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

/** No server can take one of these for the other, however much it forgives. */
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
  const [least, most] = [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength')]
  const { pattern } = schema
  const strange = typeof pattern === 'string' ? unlike(pattern, value) : null
  return [
    ...(least > 0 && pattern === undefined ? [['too short', value.slice(0, least - 1)] as const] : []),
    ...(most !== undefined && pattern === undefined ? [['too long', plainText(most + 1)] as const] : []),
    ...(strange === null ? [] : [['unlike its pattern', strange] as const]),
  ]
}

/** A text that differs from one that fits in its end, its beginning or altogether, and does not fit. */
function unlike(pattern: string, value: string): string | null {
  return [`${value}!`, `!${value}`, '!', ''].find((text) => matches(pattern, text) === false) ?? null
}

function ofNumber(schema: Schema): readonly Spoiled[] {
  const bound = (name: string, step: number, what: string): readonly Spoiled[] => {
    const value = numberIn(schema, name)
    return value === undefined ? [] : [[what, value + step]]
  }
  return [
    ...bound('minimum', -1, 'below its bound'),
    ...bound('maximum', 1, 'above its bound'),
    ...bound('exclusiveMinimum', 0, 'at a bound that is excluded'),
    ...bound('exclusiveMaximum', 0, 'at a bound that is excluded'),
    ...(schema['type'] === 'integer'
      ? [['a fraction', (numberIn(schema, 'minimum') ?? 1) + 0.5] as const]
      : []),
  ]
}

function ofList(schema: Schema, value: readonly Json[], { root, name }: Spot): readonly Spoiled[] {
  const [least, most] = [numberIn(schema, 'minItems') ?? 0, numberIn(schema, 'maxItems')]
  const [first] = value
  const twice = schema['uniqueItems'] === true && first !== undefined && (most ?? 2) > 1
  const many = most === undefined ? null : itemsOf(schema, most + 1, root, name, first)
  return [
    ...(least > 0 ? [['too few items', value.slice(0, least - 1)] as const] : []),
    ...(many ? [['too many items', many] as const] : []),
    ...(twice ? [['an item twice', [first, first]] as const] : []),
  ]
}

/** So many items that fit, all of them different; null where they cannot be had. */
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

/** What a server may forgive: it leaves out what it does not know. */
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

/** The defects of what is inside, within what is around it. */
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
