/** Judgements on the approval route: it exists, and shows the decision. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Decision, Dialect } from '../../config/dialect.ts'
import { type Exchange, type Json, json } from '../../wire/exchange.ts'
import { answered, object, shown, statusOf } from '../../assertions/answer.ts'
import type { HeldEntry, HeldStep } from './approval-history.ts'
import { all, fail, check, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { isArray } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'
import { receiptStatus, describeReceipt } from './receipt.ts'
import { readableTask, decisionIn } from './task.ts'

/** The last reads of one approval before and after its decision, and another one from before. */
export interface Decided {
  decision: Exclude<Decision, 'pending'>
  earlier: Exchange
  before: Exchange
  after: Exchange
}

/** Steps whose exchange is a read of the approval; a decision is followed by one. */
const readers: readonly HeldStep[] = ['read', 'approve', 'reject']

/** Approvals that were read before and after their decision. */
export function decidedIn(history: readonly HeldEntry[], reads: readonly Exchange[]): readonly Decided[] {
  return history.flatMap(({ step, slot }, at): Decided[] => {
    if (step !== 'approve' && step !== 'reject') return []
    const readIn = (entries: readonly HeldEntry[]) =>
      entries
        .filter((entry) => entry.slot === slot && readers.includes(entry.step))
        .flatMap(({ exchange }) => reads.find(({ id }) => id === exchange) ?? [])
    const [before, after] = [readIn(history.slice(0, at)), readIn(history.slice(at))]
    const [earlier, last, decided] = [before[0], before.at(-1), after.at(-1)]
    if (!earlier || !last || !decided) return []
    const decision = step === 'approve' ? 'approved' : 'rejected'
    return [{ decision, earlier, before: last, after: decided }]
  })
}

/**
 * Decisions are recognized by declared or known words; otherwise by any change from before, and by a difference
 * between the decisions.
 */
export function showsDecisions(decided: readonly Decided[], dialect: Dialect): Judgement {
  const kinds = new Set(decided.map(({ decision }) => decision))
  if (kinds.size < 2) return inconclusive('the approvals were not read before and after both decisions')
  return all(...decided.map((one) => showsDecision(one, decided, dialect)))
}

function showsDecision(one: Decided, others: readonly Decided[], dialect: Dialect): Judgement {
  const { decision, before, after } = one
  return given(all(readableTask(before), readableTask(after)), () => {
    const said = decisionIn(after, dialect)
    if (said === decision && decisionIn(before, dialect) !== decision) return pass
    // The meaning of a word is certain only if the target declares it.
    const isDeclared = dialect.approval?.state !== undefined
    if (said !== null && said !== decision && isDeclared)
      return fail(`an approval that says \`${decision}\``, `\`${said}\`: ${shown(after, 160)}`, after)
    const other = others.find((another) => another.decision !== decision)
    const expected = `an approval that shows that it was ${decision}`
    if (!differs(before, after, volatile(one.earlier, before)))
      return fail(expected, `the same as before: ${shown(after, 160)}`, after)
    const known = other ? volatile(before, other.before) : new Set<string>()
    const holds = !other || differs(other.after, after, known)
    return check(holds, expected, `the same as when it is ${other?.decision}: ${shown(after, 160)}`, after)
  })
}

/** Values that differ without a decision, or for another reason: ids, times. */
function volatile(one: Exchange, other: Exchange): ReadonlySet<string> {
  const [a, b] = [leavesOf(one), leavesOf(other)]
  return new Set([...a.keys(), ...b.keys()].filter((place) => a.get(place) !== b.get(place)))
}

function differs(one: Exchange, other: Exchange, but: ReadonlySet<string>): boolean {
  return [...volatile(one, other)].some((place) => !but.has(place))
}

/** Every scalar value with its pointer. */
function leavesOf(exchange: Exchange): ReadonlyMap<string, string> {
  const body = json(exchange)
  return new Map(body.ok ? leaves(body.value, '') : [])
}

function* leaves(value: Json, place: string): Generator<readonly [string, string]> {
  if (isArray(value) || isObject(value))
    for (const [name, inner] of Object.entries(value)) yield* leaves(inner, `${place}/${name}`)
  else yield [place, JSON.stringify(value)]
}

/** Steps that send the request itself. */
const askers: readonly HeldStep[] = ['ask', 'again']

/**
 * Until a decision, a repeated request is not answered as completed. Conclusive only beside an operation that was
 * decided later and then completed.
 */
export function waitsUntilDecided(history: readonly HeldEntry[], receipts: readonly Exchange[]): Judgement {
  const decisions = history.filter(({ step }) => step === 'approve' || step === 'reject')
  const judged = decisions.flatMap((decision) => {
    const own = history.filter(({ step, slot }) => slot === decision.slot && askers.includes(step))
    const answers = own.flatMap((entry) => {
      const receipt = receipts.find(({ id }) => id === entry.exchange)
      return receipt ? [{ receipt, isEarly: history.indexOf(entry) < history.indexOf(decision) }] : []
    })
    return [waitedFor(answers)]
  })
  return all(...judged)
}

function waitedFor(answers: readonly { receipt: Exchange; isEarly: boolean }[]): Judgement {
  const early = answers.filter(({ isEarly }) => isEarly).map(({ receipt }) => receipt)
  const done = early.find((receipt) => receiptStatus(receipt) === 'completed')
  if (done) return fail('a receipt that waits for the owner', describeReceipt(done), done)
  const waits = early.filter((receipt) => receiptStatus(receipt) === 'pending_approval')
  const isOver = answers.some(
    ({ receipt, isEarly }) => !isEarly && receiptStatus(receipt) !== 'pending_approval',
  )
  return waits.length > 1 && isOver
    ? pass
    : inconclusive('nothing was asked for again before its decision, or it waits after that, too')
}

/** Refused in any form: the response does not show the approval that was read before. */
export function unknownApproval(known: Exchange, stranger: Exchange, dialect: Dialect): Judgement {
  return given(answered(stranger), () => {
    const got = statusOf(stranger)
    if (got >= 500) return inconclusive(`\`${stranger.name}\` was answered ${got}, which is no refusal`)
    if (got >= 300 || (receiptStatus(stranger) === 'failed' && object(stranger)?.['error'])) return pass
    const isLike = decisionIn(stranger, dialect) !== null || sameMembers(known, stranger)
    return check(
      !isLike,
      'no approval that does not exist',
      `status ${got}: ${shown(stranger, 120)}`,
      stranger,
    )
  })
}

function sameMembers(one: Exchange, other: Exchange): boolean {
  const [a, b] = [one, other].map((exchange) =>
    Object.keys(object(exchange) ?? {})
      .sort()
      .join(),
  )
  return a !== '' && a === b
}

export function approvalMembers(reads: readonly Exchange[]): Judgement {
  const names = reads.flatMap((read) => {
    const body = statusOf(read) === 200 ? object(read) : null
    return body ? [Object.keys(body).sort().join(', ')] : []
  })
  return names.length === 0
    ? inconclusive('no approval was read')
    : observed([...new Set(names)].sort().join('; '))
}

/** The words with which approvals show their decision, each once. */
export function approvalWords(decided: readonly Decided[], { approval }: Dialect): Judgement {
  const places = approval?.state === undefined ? ['/state', '/status', '/decision'] : [approval.state]
  const word = (exchange: Exchange): string =>
    places.map((place) => leavesOf(exchange).get(place)).find((found) => found !== undefined) ?? 'no word'
  const words = decided.flatMap(({ decision, before, after }) => [
    `pending: ${word(before)}`,
    `${decision}: ${word(after)}`,
  ])
  return words.length === 0
    ? inconclusive('no approval was read before and after its decision')
    : observed([...new Set(words)].sort().join('; '))
}
