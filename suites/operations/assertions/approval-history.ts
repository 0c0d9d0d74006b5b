/**
 * What held operations have come to, step by step, against a model of it: nothing before the owner decided, nothing
 * after a rejection, once after an approval. Whether approved work runs by itself or when the same request comes
 * again is open, so between the two either count will do.
 */
import type { SequenceJudge } from '../../models/sequences.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { broken, given, inconclusive, pass } from '../../scenario/expect.ts'

/**
 * `settle`: what was approved was given time to be done; all others may leave it under way. `twice`: the owner said it
 * once more, which changes nothing.
 */
export type HeldStep = 'look' | 'ask' | 'again' | 'read' | 'wait' | 'approve' | 'twice' | 'reject' | 'settle'

export interface HeldEntry {
  step: HeldStep
  /** Which of the held operations, from 0. */
  slot: number
  /** How often the operation was done by then, as its effect shows. */
  count: number
  /** Id of the exchange of this step. */
  exchange?: number
  /** Id of the exchange that the count was read by. */
  counted?: number
  /** Of work that was approved and did not come about in time: why that need not be the fault of the approval. */
  excuse?: string
}

type Standing = 'undecided' | 'approved' | 'rejected'

interface Reckoning {
  /** Done beside what was approved: by which standing of the operation of the step that showed it. */
  excess: readonly { standing: Standing; entry: HeldEntry; by: number }[]
  /** Approved and not done when it had been given time. */
  missing: readonly HeldEntry[]
  /** Something that was approved was done: the effect shows what is done. */
  shows: boolean
  /** Something else does it, too: nothing can be told. */
  restless: boolean
}

export const historyNote = 'history'

type Notes = Readonly<Record<string, string | number | boolean>>

/** The note that the scenario left; empty where it got to none. */
export function heldHistory(notes: Notes, name: string = historyNote): readonly HeldEntry[] {
  const note = notes[name]
  return typeof note === 'string' ? (JSON.parse(note) as HeldEntry[]) : []
}

/** The name of the note of a course that is run after the exchange with this id. */
export const courseNote = (after: number): string => `${historyNote} after ${after}`

/** What a course noted, as far as these exchanges of it go. */
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

function shownBy({ counted }: HeldEntry, told: readonly Exchange[]): Exchange | undefined {
  return told.find(({ id }) => id === counted)
}

function calm({ restless }: Reckoning): Judgement {
  return restless ? inconclusive('the effect changes without any of these operations') : pass
}

function without(
  history: readonly HeldEntry[],
  standing: Standing,
  expected: string,
  told: readonly Exchange[],
): Judgement {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const worst = reckoning.excess.find((one) => one.standing === standing)
    if (!worst) return pass
    const { step } = worst.entry
    return broken(expected, `${worst.by} more after the step "${step}"`, shownBy(worst.entry, told))
  })
}

/** What shows nothing of what was approved shows nothing of what was not. */
function control(history: readonly HeldEntry[]): Judgement {
  return reckon(history).shows
    ? pass
    : inconclusive('nothing that was approved was seen to be done, so that its absence before shows nothing')
}

const said = (judgement: Judgement, history: readonly HeldEntry[]): Judgement =>
  judgement.is === 'pass' ? control(history) : judgement

/** `told`: the exchanges that the entries were read from, to point at. */
type HeldJudge = (history: readonly HeldEntry[], told?: readonly Exchange[]) => Judgement

/** Beside the positive control; a breach needs none. */
export const nothingBefore: HeldJudge = (history, told = []) =>
  said(without(history, 'undecided', 'no effect before the owner decides', told), history)

export const nothingAfterRejection: HeldJudge = (history, told = []) => {
  if (!history.some(({ step }) => step === 'reject')) return inconclusive('nothing was rejected')
  return said(without(history, 'rejected', 'no effect once the owner rejected', told), history)
}

export const onceApproved: HeldJudge = (history, told = []) => {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const twice = without(history, 'approved', 'what was approved to be done once', told)
    if (twice.is !== 'pass') return twice
    const [missing] = reckoning.missing
    if (missing?.excuse) return inconclusive(missing.excuse)
    if (missing) {
      const got = 'no effect, sent again and given time'
      return broken('what was approved to be done', got, shownBy(missing, told))
    }
    return control(history)
  })
}

/** What a scenario has to count, and what it comes to last. */
export interface Counted {
  effect: readonly Exchange[]
  last: Exchange
}

/** The same, of one course. */
export function overCourse(judge: HeldJudge): SequenceJudge {
  return (course, { notes }) => judge(courseHistory(notes, course), course)
}

/** A breach counts whenever it shows, anything else in a scenario that was told to its end. */
export function over(
  scenario: Counted,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  return scenario.effect.length > 0
    ? overReads(scenario, { notes }, judge)
    : inconclusive('nothing was counted; declare the `effect` of the operation under `fixtures.operations`')
}

/** The same where nothing has to be counted. */
export function overReads(
  scenario: Pick<Counted, 'last'>,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  const judged = judge(heldHistory(notes))
  return judged.is === 'broken' ? judged : scenario.last && judged
}
