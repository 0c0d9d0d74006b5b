/**
 * Judgements on the pause of a failing endpoint. The number of failures and the length of the pause are not shown, so
 * a pause that did not start or end while the scenario waited fails no MUST clause.
 */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { attemptsIn, deliveriesIn } from '../deliveries.ts'
import { arrivalsFirst } from '../delivery.ts'
import { check, given, inconclusive, observed, pass, warn } from '../../../scenario/expect.ts'
import { judgeEntry } from './webhook-record.ts'

export interface PauseNotes {
  /** Deliveries that failed before deliveries stopped; 0: they did not stop. */
  pausedAfter: number
  /** Deliveries that failed in total. */
  failed: number
  /** Minutes after which deliveries resumed; 0: they did not. */
  resumedAfter: number
  /** Minutes that the scenario waited for it. */
  waited: number
  /** Deliveries that had failed elsewhere before the healthy endpoint received none; 0: it received all. */
  heldAfter: number
  /** Consecutive events that arrived there at once after the other endpoint stopped failing. */
  afterwards: number
}

export function pauseNotes(notes: Readonly<Record<string, unknown>>): PauseNotes {
  const number = (name: keyof PauseNotes): number => Number(notes[name] ?? 0)
  return {
    pausedAfter: number('pausedAfter'),
    failed: number('failed'),
    resumedAfter: number('resumedAfter'),
    waited: number('waited'),
    heldAfter: number('heldAfter'),
    afterwards: number('afterwards'),
  }
}

/** A failing endpoint received nothing, while another one received the same events. */
export function endpointPaused(
  failing: readonly Exchange[],
  healthy: readonly Exchange[],
  { pausedAfter, failed }: PauseNotes,
): Judgement {
  return arrivalsFirst(failing, () => {
    if (attemptsIn(healthy).length === 0)
      return inconclusive('nothing came to the endpoint that does not fail')
    if (pausedAfter > 0) return pass
    const got = `${failed} failed deliveries in a row, and the next one came`
    return failed >= 20
      ? warn('a pause after failure upon failure', got, deliveriesIn(failing).at(-1)?.[0])
      : inconclusive(got)
  })
}

/**
 * The healthy endpoint still received deliveries. Both belong to one receiver, so a service that pauses a whole host
 * by name pauses both.
 */
export function holdsBackNoOther(
  failing: readonly Exchange[],
  healthy: readonly Exchange[],
  notes: PauseNotes,
): Judgement {
  const { heldAfter, afterwards } = notes
  if (heldAfter === 0 || afterwards <= heldAfter) return given(wasPaused(failing, healthy, notes), () => pass)
  const expected = 'each event at the endpoint that does not fail'
  const got = `none once another had failed ${heldAfter} times, and ${afterwards} in a row when it failed no more`
  return warn(expected, got, deliveriesIn(failing).at(-1)?.[0])
}

/** The exchanges of a scenario about a pause; `list`: during the pause. */
export interface PauseScenario {
  readonly failing: readonly Exchange[]
  readonly healthy: readonly Exchange[]
  readonly hook: Exchange
  readonly list: Exchange
}

/** A webhook that was disabled receives nothing, but is not paused without an end. */
export function pauseEnds(scenario: PauseScenario, notes: PauseNotes): Judgement {
  return given(staysActive(scenario, notes), () => {
    if (notes.resumedAfter > 0) return pass
    const got = `none within ${notes.waited} minutes`
    return notes.waited >= 60 ? warn('deliveries again after a while', got) : inconclusive(got)
  })
}

export function staysActive({ failing, healthy, hook, list }: PauseScenario, notes: PauseNotes): Judgement {
  return given(wasPaused(failing, healthy, notes), () =>
    judgeEntry(list, hook, ({ is_active: active }) =>
      // A value that is no boolean says nothing about a pause; the scenario of the list judges it.
      typeof active === 'boolean'
        ? check(active, '`is_active`: true', '`is_active`: false', list)
        : inconclusive(`the webhook is listed with \`is_active\`: ${JSON.stringify(active) ?? 'none'}`),
    ),
  )
}

/** Records the number of failures and the approximate length of the pause. */
export function pauseSeen(
  failing: readonly Exchange[],
  healthy: readonly Exchange[],
  notes: PauseNotes,
): Judgement {
  return given(wasPaused(failing, healthy, notes), () => {
    const { pausedAfter, resumedAfter, waited } = notes
    const length = resumedAfter > 0 ? `about ${resumedAfter}` : `more than ${waited}`
    return observed(`after ${pausedAfter} failed deliveries, for ${length} minutes`)
  })
}

/** `emitted`: events until deliveries resumed. Those that never arrived were dropped. */
export function pausedEventsSeen(
  failing: readonly Exchange[],
  healthy: readonly Exchange[],
  notes: PauseNotes & { emitted: number },
): Judgement {
  return given(wasPaused(failing, healthy, notes), () => {
    if (notes.resumedAfter === 0) return inconclusive('the pause did not end')
    const came = deliveriesIn(failing).length
    return observed(came >= notes.emitted ? 'kept, and delivered afterwards' : 'not delivered afterwards')
  })
}

function wasPaused(failing: readonly Exchange[], healthy: readonly Exchange[], notes: PauseNotes): Judgement {
  const judged = endpointPaused(failing, healthy, notes)
  return judged.is === 'warn' ? inconclusive('there was no pause') : judged
}
