/**
 * Inputs that fit for certain: a text in other letters where any text will do, and one without the members that may
 * be left out. That a schema says all that an input has to be is not stated, so that a refusal is warned of.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import type { OperationFixture } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { at, type Json } from '../../wire/json.ts'
import { inconclusive, pass, weak } from '../../scenario/expect.ts'
import { isRefusedAs } from './input-refusal.ts'
import { isObject } from '../../../spec/json.ts'
import { isGoing, told } from './receipt.ts'
import { isReferring, numberIn, resolved, unknownKeywords, type Schema } from './schema/schema-input.ts'

/** The schema at its top, where all that it says is understood. */
function understood(written: Json | undefined): Schema | null {
  const root = resolved(written, isObject(written) ? written : {})
  return root && unknownKeywords(root).length === 0 && isObject(root['properties']) ? root : null
}

const freshMark = '{fresh}'
const limits = ['enum', 'const', 'pattern', 'format', 'oneOf', 'anyOf']

/** Whether it takes any text of this length. */
function takesText(schema: Schema | null, text: string): boolean {
  if (schema?.['type'] !== 'string' || unknownKeywords(schema).length > 0) return false
  const [least, most] = [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength') ?? Infinity]
  return limits.every((name) => !(name in schema)) && text.length >= least && text.length <= most
}

/**
 * The known input with `word` in a member of which the target file says that any text may stand there; null where
 * there is none, or its schema narrows it down.
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
    if (form.includes(freshMark) && takesText(resolved(properties[name], written), text))
      return { ...known, [name]: text }
  }
  return null
}

/** Names of the members that the schema says are required; null where it does not say. */
function requiredBy(written: Json | undefined): readonly Json[] | null {
  const required = understood(written)?.['required']
  return Array.isArray(required) && required.length > 0 ? (required as readonly Json[]) : null
}

/** The known input without all that may be left out; null where that is nothing, or is not known. */
export function bareInput(written: Json | undefined, known: Json): Json | null {
  const required = requiredBy(written)
  if (!required || !isObject(known)) return null
  const kept = Object.entries(known).filter(([name]) => required.includes(name))
  const isLess = kept.length < Object.keys(known).length && kept.length === required.length
  return isLess ? Object.fromEntries(kept) : null
}

/** The most members that are left out one at a time. */
export const mostLeftOut = 4

/** A whole input without one member that may be left out, for each of the first of them. */
export function leftOutOf(written: Json | undefined, whole: Json): readonly Json[] {
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
  return weak('an input that fits its schema to be taken', `${told(one)}: ${sentIn(one)}`, one)
}

/** Any text is taken there, whatever its letters. */
export function wordTaken(worded: readonly Exchange[], invalid: Exchange | undefined): Judgement {
  const one = invalid && worded.find((exchange) => isRefusedAs(invalid, exchange))
  return one ? refused(one) : pass
}

/** What of an input was left out: everything that may be; nothing; one member at a time. */
export interface LeftOut {
  bare: readonly Exchange[]
  whole: readonly Exchange[]
  without: readonly Exchange[]
}

/**
 * A member that may be left out is not asked for. Some are there together or not at all, or one of several has to be:
 * it counts where all of them are taken, none is refused, and one is missed while another is not.
 */
export function optionalLeftOut({ bare, whole, without }: LeftOut, invalid: Exchange | undefined): Judgement {
  const isRefused = (one: Exchange): boolean => invalid !== undefined && isRefusedAs(invalid, one)
  if (!bare.some(isRefused)) return pass
  const missed = without.find(isRefused)
  const isOwn = without.length === 1 || without.some(isGoing)
  return missed && isOwn && whole.every(isGoing)
    ? refused(missed)
    : inconclusive('it may be that some members belong together, though each may be left out')
}
