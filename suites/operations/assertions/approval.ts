/** Judgements on the approval route: it exists, and shows the decision. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Decision, Dialect } from '../../config/dialect.ts'
import { type Exchange, type Json, json } from '../../wire/exchange.ts'
import { answered, object, shown, statusOf } from '../../assertions/answer.ts'
import { all, fail, check, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { isArray } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'
import { receiptStatus, describeReceipt } from './receipt.ts'
import { repeated } from './done-once.ts'
import { readableTask, decisionIn } from './task.ts'
import type { SequenceJudge } from '../../models/sequences.ts'

/**
 * `settle`: approved work was given time to complete; other steps may leave it in flight. `twice`: the owner repeated
 * the decision, of what was sent again under another id by that: it changes nothing. `aside`: others looked at it.
 */
export type HeldStep =
  | 'look'
  | 'ask'
  | 'again'
  | 'read'
  | 'aside'
  | 'wait'
  | 'approve'
  | 'twice'
  | 'reject'
  | 'settle'

export interface HeldEntry {
  step: HeldStep
  slot: number
  /** How often the operation was done by then, according to its effect. */
  count: number
  exchange?: number
  /** Id of the exchange that the count was read from. */
  counted?: number
  /** Its last receipt has another id: of the same approval, by a read, or of one that the owner approved, too. */
  renamed?: 'same' | 'approved' | undefined
  /** For approved work that did not complete in time: a reason other than the approval. */
  excuse?: string
}

type Standing = 'undecided' | 'approved' | 'rejected'

interface Reckoning {
  /** Effects beyond those approved, with the state of the operation whose step showed them. */
  excess: readonly { standing: Standing; entry: HeldEntry; by: number }[]
  /** Approved work that was not done within its time. */
  missing: readonly HeldEntry[]
  /** Approved work was done, so the effect shows what is done. */
  shows: boolean
  /** The effect also changes for other reasons, so nothing is conclusive. */
  restless: boolean
}

export const historyNote = 'history'

type Notes = Readonly<Record<string, string | number | boolean>>

/** The entries in the note of the scenario; empty if there is none. */
export function heldHistory(notes: Notes, name: string = historyNote): readonly HeldEntry[] {
  const note = notes[name]
  return typeof note === 'string' ? (JSON.parse(note) as HeldEntry[]) : []
}

/** The name of the note of a sequence that runs after the exchange with this id. */
export const courseNote = (after: number): string => `${historyNote} after ${after}`

/** The notes of one command sequence, limited to these exchanges. */
function courseHistory(notes: Notes, course: readonly Exchange[]): readonly HeldEntry[] {
  const [first, last] = [course[0]?.id ?? 0, course.at(-1)?.id ?? 0]
  const prefix = courseNote(0).slice(0, -1)
  const begun = Object.keys(notes)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((after) => after < first)
  return heldHistory(notes, courseNote(Math.max(...begun))).filter(({ counted = 0 }) => counted <= last)
}

function reckon(history: readonly HeldEntry[]): Reckoning {
  const [first] = history
  const standings = new Map<number, Standing>()
  const excess: { standing: Standing; entry: HeldEntry; by: number }[] = []
  const missing: HeldEntry[] = []
  let [base, shows, restless, renamed] = [first?.count ?? 0, false, false, 0]
  for (const entry of history) {
    const { step, slot, count } = entry
    if (step === 'approve') standings.set(slot, 'approved')
    if (step === 'reject') standings.set(slot, 'rejected')
    if (entry.renamed === 'approved') renamed += 1
    const approved = [...standings.values()].filter((one) => one === 'approved').length
    const beyond = count - base - approved
    restless ||= count < base || (step === 'look' && count !== base)
    if (beyond > renamed) {
      excess.push({ standing: standings.get(slot) ?? 'undecided', entry, by: beyond - renamed })
      base += beyond - renamed
    }
    if (step !== 'settle') continue
    shows ||= count > base
    if (beyond < 0) missing.push(entry)
  }
  return { excess, missing, shows, restless }
}

function shownBy({ counted }: HeldEntry, exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find(({ id }) => id === counted)
}

function calm({ restless }: Reckoning): Judgement {
  return restless ? inconclusive('the effect changes without any of these operations') : pass
}

function without(
  history: readonly HeldEntry[],
  standing: Standing,
  expected: string,
  exchanges: readonly Exchange[],
): Judgement {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const worst = reckoning.excess.find((one) => one.standing === standing)
    if (!worst) return pass
    const { step } = worst.entry
    return fail(expected, `${worst.by} more after the step "${step}"`, shownBy(worst.entry, exchanges))
  })
}

/** An effect that does not show approved work would not show other work either. */
function control(history: readonly HeldEntry[]): Judgement {
  return reckon(history).shows
    ? pass
    : inconclusive('nothing that was approved was seen to be done, so that its absence before shows nothing')
}

const said = (judgement: Judgement, history: readonly HeldEntry[]): Judgement =>
  judgement.is === 'pass' ? control(history) : judgement

/** `exchanges`: those that the entries were read from, for the failure. */
type HeldJudge = (history: readonly HeldEntry[], exchanges?: readonly Exchange[]) => Judgement

/** Requires the positive control, except for a violation. */
export const nothingBefore: HeldJudge = (history, exchanges = []) =>
  said(without(history, 'undecided', 'no effect before the owner decides', exchanges), history)

export const nothingAfterRejection: HeldJudge = (history, exchanges = []) => {
  if (!history.some(({ step }) => step === 'reject')) return inconclusive('nothing was rejected')
  return said(without(history, 'rejected', 'no effect once the owner rejected', exchanges), history)
}

export const onceApproved: HeldJudge = (history, exchanges = []) => {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const twice = without(history, 'approved', 'what was approved to be done once', exchanges)
    if (twice.is !== 'pass') return twice
    const [missing] = reckoning.missing
    if (missing?.excuse) return inconclusive(missing.excuse)
    if (missing) {
      const got = 'no effect, sent again and given time'
      return fail('what was approved to be done', got, shownBy(missing, exchanges))
    }
    return control(history)
  })
}

/** One held write, approved under each of its ids, is done once. Null if it was not, or nothing shows what is done. */
export function onceRenamed(
  history: readonly HeldEntry[],
  exchanges: readonly Exchange[],
  dialect: Dialect,
): Judgement | null {
  const renamed = history.find((one) => one.renamed)?.renamed
  if (renamed === 'same') return pass
  const { shows, restless } = reckon(history)
  if (restless || !shows || !renamed) return null
  const most = (history[0]?.count ?? 0) + history.filter(({ step }) => step === 'approve').length
  const again = history.find(({ count }) => count > most)
  return again ? repeated(2, 'the write to be done once', shownBy(again, exchanges), dialect) : pass
}

export interface Counted {
  effect: readonly Exchange[]
  last: Exchange
}

/** The same for one sequence. */
export function overCourse(judge: HeldJudge): SequenceJudge {
  return (course, { notes }) => judge(courseHistory(notes, course), course)
}

/** A violation always counts, any other result only in a completed scenario. */
export function over(
  scenario: Counted,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  return scenario.effect.length > 0
    ? overReads(scenario, { notes }, judge)
    : inconclusive('nothing was counted; declare the `effect` of the operation under `fixtures.operations`')
}

export function overReads(
  scenario: Pick<Counted, 'last'>,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  const judged = judge(heldHistory(notes))
  return judged.is === 'fail' ? judged : scenario.last && judged
}

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
