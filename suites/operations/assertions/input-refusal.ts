/** Judges whether an input that fits its schema was refused like one that does not. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Pointer } from '../../config/dialect.ts'
import { type Exchange, parseJson, type Json } from '../../wire/exchange.ts'
import { answered, codesOf, statusOf } from '../../assertions/answer.ts'
import { inconclusive, pass, warn, inTurn, need } from '../../scenario/expect.ts'
import { put } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'
import { failureCode, isGoing, reaches, receiptStatus, describeReceipt } from './receipt.ts'
import { canonical } from '../../assertions/reply.ts'

/** Status and code of a refusal; null for an accepted or inconclusive response. */
function signature(exchange: Exchange): string | null {
  const status = statusOf(exchange)
  if (isGoing(exchange) || status === 0 || status === 429 || status >= 500) return null
  if (receiptStatus(exchange) !== 'failed' && status < 400) return null
  const code = failureCode(exchange) ?? [...new Set(codesOf(exchange))].sort().join(' ')
  return `${status} ${code}`
}

/** Refused with the status and the code of the response to an invalid input. */
export function isRefusedAs(invalid: Exchange, exchange: Exchange): boolean {
  const wrong = signature(invalid)
  return wrong !== null && signature(exchange) === wrong
}

interface Beside {
  accepted: Exchange | undefined
  invalid: Exchange | undefined
  shrunk: readonly Exchange[]
  /** Where a body has the key, which differs in each. */
  keyAt?: Pointer | undefined
}

/**
 * Not refused as invalid. Other failures are not judged: a valid input may refer to something that does not exist. A
 * schema may not state all requirements, so a refusal only warns, and only if a single value distinguishes the input
 * from an accepted one.
 */
export function notRefusedAsInvalid(
  exchange: Exchange,
  { accepted, invalid, shrunk, keyAt }: Beside,
): Judgement {
  if (!accepted || !invalid)
    return inconclusive('nothing was accepted, or nothing was refused to compare with')
  return inTurn(need(reaches(accepted, 'completed')), need(answered(exchange)), () => {
    const status = statusOf(exchange)
    if (status >= 500)
      return warn('the input to be taken', `a server error: ${describeReceipt(exchange)}`, exchange)
    if (!isRefusedAs(invalid, exchange)) return pass
    const smallest = shrunk.findLast((one) => isRefusedAs(invalid, one)) ?? exchange
    const input = new TextDecoder().decode(smallest.request.body)
    const got = `${describeReceipt(smallest)}, as for one that does not fit: ${input}`
    return isOneValue(smallest, accepted, keyAt)
      ? warn('an input that fits its schema to be taken', got, smallest)
      : inconclusive(`it may be that its values do not go together: ${got}`)
  })
}

/** Both bodies differ in one value, so no combination of values is the cause. */
function isOneValue(one: Exchange, other: Exchange, keyAt: Pointer | undefined): boolean {
  const [a, b] = [one, other].map(({ request }) => parseJson(new TextDecoder().decode(request.body)))
  if (!a?.ok || !b?.ok) return false
  const [mine, theirs] = [a, b].map(({ value }) => (keyAt === undefined ? value : put(value, keyAt, null)))
  const found = differences(mine, theirs)
  return found.length === 1 && leavesOf(found[0]) <= 1
}

/** The values of the first that the second lacks, wherever they differ. */
function differences(one: Json | undefined, other: Json | undefined): readonly (Json | undefined)[] {
  if (canonical(one) === canonical(other)) return []
  if (!isObject(one) || !isObject(other)) return [one]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => differences(one[name], other[name]))
}

function leavesOf(value: Json | undefined): number {
  if (!isObject(value)) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + leavesOf(one), 0)
}

/** The input with one member as in the known input, or without it; null if it is so already. */
export function reverted(input: Json, known: Json, name: string): Json | null {
  if (!isObject(input) || !isObject(known)) return null
  if (canonical(input[name]) === canonical(known[name])) return null
  const { [name]: _gone, ...rest } = input
  const value = known[name]
  return value === undefined ? rest : { ...rest, [name]: value }
}
