/**
 * A model of held operations, compared with their effect after each step: no effect before the owner decided or after
 * a rejection, one after an approval. Whether approved work runs by itself or when the request is repeated is
 * unspecified, so between the two either count is accepted.
 */
import type { SequenceJudge } from '../../models/sequences.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { fail, given, inconclusive, pass } from '../../scenario/expect.ts'

/**
 * `settle`: approved work was given time to complete; other steps may leave it in flight. `twice`: the owner repeated
 * the decision, which changes nothing.
 */
export type HeldStep = 'look' | 'ask' | 'again' | 'read' | 'wait' | 'approve' | 'twice' | 'reject' | 'settle'

export interface HeldEntry {
  step: HeldStep
  /** Index of the held operation. */
  slot: number
  /** How often the operation was done by then, according to its effect. */
  count: number
  /** Id of the exchange of this step. */
  exchange?: number
  /** Id of the exchange that the count was read from. */
  counted?: number
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
  let [base, shows, restless] = [first?.count ?? 0, false, false]
  for (const entry of history) {
    const { step, slot, count } = entry
    if (step === 'approve') standings.set(slot, 'approved')
    if (step === 'reject') standings.set(slot, 'rejected')
    const approved = [...standings.values()].filter((one) => one === 'approved').length
    const beyond = count - base - approved
    restless ||= count < base || (step === 'look' && count !== base)
    if (beyond > 0) {
      excess.push({ standing: standings.get(slot) ?? 'undecided', entry, by: beyond })
      base += beyond
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

/** The exchanges of a scenario with counts, and the last of them. */
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

/** The same for judges without counts. */
export function overReads(
  scenario: Pick<Counted, 'last'>,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  const judged = judge(heldHistory(notes))
  return judged.is === 'fail' ? judged : scenario.last && judged
}
