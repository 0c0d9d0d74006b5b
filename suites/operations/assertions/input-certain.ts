/**
 * Inputs that certainly fit: a string in another script where any string is allowed, and one without optional
 * members. A schema may not state all requirements, so a refusal only warns.
 */
import * as fc from 'fast-check'
import type { Judgement, Driver } from '../../scenario/scenario.ts'
import type { OperationFixture } from '../../config/target.ts'
import { type Exchange, at, type Json } from '../../wire/exchange.ts'
import { inconclusive, pass, warn, all, given } from '../../scenario/expect.ts'
import { isRefusedAs } from './input-refusal.ts'
import { isObject } from '../../../spec/json.ts'
import { isGoing, describeReceipt, reaches } from './receipt.ts'
import {
  isReferring,
  numberMember,
  resolvedSchema,
  unknownKeywords,
  type Schema,
  inputs,
} from './schema/schema-input.ts'

/** The schema at the top level, if all of its keywords are understood. */
function understood(written: Json | undefined): Schema | null {
  const root = resolvedSchema(written, isObject(written) ? written : {})
  return root && unknownKeywords(root).length === 0 && isObject(root['properties']) ? root : null
}

const freshMark = '{fresh}'
const limits = ['enum', 'const', 'pattern', 'format', 'oneOf', 'anyOf']

function takesText(schema: Schema | null, text: string): boolean {
  if (schema?.['type'] !== 'string' || unknownKeywords(schema).length > 0) return false
  const [least, most] = [
    numberMember(schema, 'minLength') ?? 0,
    numberMember(schema, 'maxLength') ?? Infinity,
  ]
  return limits.every((name) => !(name in schema)) && text.length >= least && text.length <= most
}

/**
 * The known input with `word` in a member that the target file declares as free text; null without one, or if the
 * schema restricts it.
 */
export function withWord(
  { input, fresh = [] }: Pick<OperationFixture, 'input' | 'fresh'>,
  written: Json | undefined,
  known: Json,
  word: string,
): Json | null {
  const schema = understood(written)
  const properties = schema?.['properties']
  if (!isObject(written) || !isObject(properties) || !isObject(known)) return null
  for (const pointer of fresh) {
    const [name, form] = [pointer.slice(1), at(input as Json, pointer)]
    if (name.includes('/') || isReferring(name) || typeof form !== 'string') continue
    const text = form.replaceAll(freshMark, word)
    if (form.includes(freshMark) && takesText(resolvedSchema(properties[name], written), text))
      return { ...known, [name]: text }
  }
  return null
}

/** Names of the required members; null if the schema does not state them. */
function requiredBy(written: Json | undefined): readonly Json[] | null {
  const required = understood(written)?.['required']
  return Array.isArray(required) && required.length > 0 ? (required as readonly Json[]) : null
}

/** The known input without optional members; null if there are none, or if they are unknown. */
export function bareInput(written: Json | undefined, known: Json): Json | null {
  const required = requiredBy(written)
  if (!required || !isObject(known)) return null
  const kept = Object.entries(known).filter(([name]) => required.includes(name))
  const isLess = kept.length < Object.keys(known).length && kept.length === required.length
  return isLess ? Object.fromEntries(kept) : null
}

export const mostLeftOut = 4

/** A complete input without one optional member, for each of the first of them. */
export function withoutOptional(written: Json | undefined, whole: Json): readonly Json[] {
  const required = requiredBy(written)
  if (!required || !isObject(whole)) return []
  const optional = Object.keys(whole).filter((name) => !required.includes(name))
  return optional.slice(0, mostLeftOut).map((name) => {
    const { [name]: _gone, ...rest } = whole
    return rest
  })
}

const sentIn = ({ request }: Exchange): string => new TextDecoder().decode(request.body)

function refused(one: Exchange): Judgement {
  return warn('an input that fits its schema to be taken', `${describeReceipt(one)}: ${sentIn(one)}`, one)
}

/** Any string is accepted, whatever its letters. */
export function wordTaken(worded: readonly Exchange[], invalid: Exchange | undefined): Judgement {
  const one = invalid && worded.find((exchange) => isRefusedAs(invalid, exchange))
  return one ? refused(one) : pass
}

export interface OmittedMembers {
  bare: readonly Exchange[]
  whole: readonly Exchange[]
  without: readonly Exchange[]
}

/**
 * No optional member is required. Members may belong together, or one of several may be required: fails only if all
 * together are accepted, none is refused, and omitting one is refused while omitting another is not.
 */
export function optionalLeftOut(
  { bare, whole, without }: OmittedMembers,
  invalid: Exchange | undefined,
): Judgement {
  const isRefused = (one: Exchange): boolean => invalid !== undefined && isRefusedAs(invalid, one)
  if (!bare.some(isRefused)) return pass
  const missed = without.find(isRefused)
  const isOwn = without.length === 1 || without.some(isGoing)
  return missed && isOwn && whole.every(isGoing)
    ? refused(missed)
    : inconclusive('it may be that some members belong together, though each may be left out')
}

export const certainExchanges = ['worded[]', 'bare[]', 'whole[]', 'without[]'] as const
export type CertainNames = (typeof certainExchanges)[number]

export interface Drawing {
  operation: OperationFixture
  schema: Json | undefined
}

/** Letters beyond ASCII, of two and of three bytes. */
const otherLetters = 'Zoë 東京'

/** Sends the certain inputs; omits single members only if the input without all of them was refused. */
export async function sendCertain(
  t: Driver<CertainNames>,
  { operation, schema }: Drawing,
  known: Json,
  invalid: Exchange,
): Promise<void> {
  const worded = withWord(operation, schema, known, `${otherLetters} ${t.uuid().slice(0, 8)}`)
  if (worded !== null) await t.executeMore('worded', operation, { input: worded })
  const bare = bareInput(schema, known)
  if (bare === null) return
  const answer = await t.executeMore('bare', operation, { input: bare })
  const full = inputs(schema, known, true)
  if (!full || !isRefusedAs(invalid, answer)) return
  const [drawn] = fc.sample(full, { seed: t.pick(2 ** 31), numRuns: 1 })
  const whole = { ...Object(drawn), ...Object(known) } as Json
  await t.executeMore('whole', operation, { input: whole })
  for (const input of withoutOptional(schema, whole)) await t.executeMore('without', operation, { input })
}

/** Whether another input was sent to the same operation. */
export const ofSame =
  (one: Exchange) =>
  (other: Exchange): boolean =>
    other.request.path === one.request.path

type Certain = OmittedMembers & { worded: readonly Exchange[] }

/** Given an input of the same operation that was completed. */
export function certainly(accepted: Exchange, invalid: Exchange | undefined, sent: Certain): Judgement {
  const own = (list: readonly Exchange[]) => list.filter(ofSame(accepted))
  const leftOut = { bare: own(sent.bare), whole: own(sent.whole), without: own(sent.without) }
  return given(reaches(accepted, 'completed'), () =>
    all(wordTaken(own(sent.worded), invalid), optionalLeftOut(leftOut, invalid)),
  )
}
