/**
 * Judgements on an endpoint that keeps failing. How many failures it takes and how long the pause is are not shown,
 * so a pause that did not come, or did not end, in the time that the scenario had is no failure of a must.
 */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { attemptsIn, deliveriesIn } from '../deliveries.ts'
import { arrivalsFirst } from '../delivery.ts'
import { check, given, inconclusive, observed, pass, weak } from '../../../scenario/expect.ts'
import { entry } from './webhook-record.ts'

/** What the scenario saw, as it noted it. */
export interface PauseNotes {
  /** Deliveries that failed before nothing came any more; 0: everything went on coming. */
  pausedAfter: number
  /** Deliveries that failed in all. */
  failed: number
  /** Minutes after which something came again; 0: nothing did. */
  resumedAfter: number
  /** Minutes that the scenario waited for it. */
  waited: number
  /** Deliveries that had failed elsewhere before the endpoint that does not fail got none any more; 0: it got all. */
  heldAfter: number
  /** Events in a row that came there at once, as soon as the other endpoint did not fail any more. */
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

/** Nothing came to an endpoint that kept failing, while the same events came to another one. */
export function paused(
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
      ? weak('a pause after failure upon failure', got, deliveriesIn(failing).at(-1)?.[0])
      : inconclusive(got)
  })
}

/**
 * The endpoint that does not fail went on getting what the paused one did not. Both are of one receiver, so that a
 * service which pauses all of a host by its name holds back either.
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
  return weak(expected, got, deliveriesIn(failing).at(-1)?.[0])
}

/** What a scenario about a pause saw; `list`: as it was during the pause. */
export interface PauseScenario {
  readonly failing: readonly Exchange[]
  readonly healthy: readonly Exchange[]
  readonly hook: Exchange
  readonly list: Exchange
}

/** That a webhook which was turned off gets nothing any more is no pause without an end. */
export function pauseEnds(scenario: PauseScenario, notes: PauseNotes): Judgement {
  return given(staysActive(scenario, notes), () => {
    if (notes.resumedAfter > 0) return pass
    const got = `none within ${notes.waited} minutes`
    return notes.waited >= 60 ? weak('deliveries again after a while', got) : inconclusive(got)
  })
}

export function staysActive({ failing, healthy, hook, list }: PauseScenario, notes: PauseNotes): Judgement {
  return given(wasPaused(failing, healthy, notes), () =>
    entry(list, hook, ({ is_active: active }) =>
      // What is no truth value says nothing of a pause; the scenario of the list judges it.
      typeof active === 'boolean'
        ? check(active, '`is_active`: true', '`is_active`: false', list)
        : inconclusive(`the webhook is listed with \`is_active\`: ${JSON.stringify(active) ?? 'none'}`),
    ),
  )
}

/** How many failures it took, and about how long the pause was. */
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

/** `emitted`: events until something came again. What never came was dropped. */
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
  const judged = paused(failing, healthy, notes)
  return judged.is === 'weak' ? inconclusive('there was no pause') : judged
}
