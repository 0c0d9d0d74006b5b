/**
 * What held operations have come to, step by step, against a model of it: nothing before the owner decided, nothing
 * after a rejection, once after an approval. Whether approved work runs by itself or when the same request comes
 * again is open, so between the two either count will do.
 */
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { broken, given, inconclusive, pass } from './expect.ts'

/** `settle`: what was approved was given time to be done; all others may leave it under way. */
export type HeldStep = 'look' | 'ask' | 'again' | 'read' | 'wait' | 'approve' | 'reject' | 'settle'

export interface HeldEntry {
  step: HeldStep
  /** Which of the held operations, from 0. */
  slot: number
  /** How often the operation was done by then, as its effect shows. */
  count: number
  /** Id of the exchange of this step. */
  exchange?: number
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

/** The note that the story left; empty where it got to none. */
export function heldHistory(notes: Notes): readonly HeldEntry[] {
  const note = notes[historyNote]
  return typeof note === 'string' ? (JSON.parse(note) as HeldEntry[]) : []
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

function calm({ restless }: Reckoning): Judgement {
  return restless ? inconclusive('the effect changes without any of these operations') : pass
}

function without(history: readonly HeldEntry[], standing: Standing, expected: string): Judgement {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const worst = reckoning.excess.find((one) => one.standing === standing)
    if (worst) return broken(expected, `${worst.by} more after the step "${worst.entry.step}"`)
    return pass
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

/** Beside the positive control; a breach needs none. */
export function nothingBefore(history: readonly HeldEntry[]): Judgement {
  return said(without(history, 'undecided', 'no effect before the owner decides'), history)
}

export function nothingAfterRejection(history: readonly HeldEntry[]): Judgement {
  if (!history.some(({ step }) => step === 'reject')) return inconclusive('nothing was rejected')
  return said(without(history, 'rejected', 'no effect once the owner rejected'), history)
}

export function onceApproved(history: readonly HeldEntry[]): Judgement {
  const reckoning = reckon(history)
  return given(calm(reckoning), () => {
    const twice = without(history, 'approved', 'what was approved to be done once')
    if (twice.is !== 'pass') return twice
    const [missing] = reckoning.missing
    if (missing?.excuse) return inconclusive(missing.excuse)
    if (missing) return broken('what was approved to be done', 'no effect, sent again and given time')
    return control(history)
  })
}

/** What a story has to count, and what it comes to last. */
export interface Counted {
  effect: readonly Exchange[]
  last: Exchange
}

/** A breach counts whenever it shows, anything else in a story that was told to its end. */
export function over(
  story: Counted,
  { notes }: { notes: Notes },
  judge: (history: readonly HeldEntry[]) => Judgement,
): Judgement {
  const judged = story.effect.length > 0 ? judge(heldHistory(notes)) : inconclusive('nothing was counted')
  return judged.is === 'broken' ? judged : story.last && judged
}
