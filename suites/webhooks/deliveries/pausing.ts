/** A failing endpoint is paused for a while. */
import { scenario, type Needs, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Endpoint, Hook } from '../../scenario/webhook-driver.ts'
import { arrivedIn, listWith, sampleTo } from '../webhook-requests.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { arrivalsFirst, attemptsIn, deliveriesIn } from '../assertions/deliveries.ts'
import { check, given, inconclusive, observed, pass, warn } from '../../scenario/expect.ts'
import { judgeEntry } from '../assertions/management/webhook-record.ts'

const needs: Needs = { session: true, receiver: true, event: 'any', optIn: ['slow'] }

/** The most deliveries that are made to fail, each with three attempts. */
const failuresMost = 25
/** Missing events after which a scenario assumes a pause. */
const missingLeast = 2
/** A first attempt arrives within this time or not at all, since it is immediate. */
const firstMs = 15_000
/** Minutes between two checks whether deliveries resumed; how many if time is free, and if it is not. */
const look = { minutes: 5, atMost: { control: 13, real: 3 } } as const
const minuteMs = 60_000

type PausingDriver = Pick<
  Driver<'sample'>,
  'emit' | 'note' | 'notes' | 'stop' | 'settle' | 'clock' | 'manage'
>

/** Makes deliveries fail until some are missing; returns how many had failed, or 0 if all arrived. */
async function untilPaused(
  t: PausingDriver,
  failing: Endpoint,
  healthy: Endpoint,
  other: Hook,
): Promise<number> {
  let missing = 0
  for (let failed = 0; failed < failuresMost;) {
    const [{ count, deliveries }, { deliveries: others }] = [failing, healthy]
    await t.emit()
    if (failed > 0 && !(await healthy.delivered(others + 1, firstMs)))
      await lookIntoSilence(t, failing, healthy, other)
    if (!(await healthy.delivered(others + 1)))
      t.stop('an event did not come to the endpoint that does not fail')
    if (await failing.delivered(deliveries + 1, firstMs)) {
      await failing.arrived(count + 3)
      missing = 0
      t.note('failed', ++failed)
    } else if (++missing === missingLeast) return failed
  }
  return 0
}

/**
 * Called when nothing arrived at the healthy endpoint. Three things show whether it is paused too: a sample, which
 * arrives; another event, which does not; and as many events as before after the other endpoint stops failing. Ends
 * the scenario unless the other event arrives.
 */
async function lookIntoSilence(
  t: PausingDriver,
  failing: Endpoint,
  healthy: Endpoint,
  other: Hook,
): Promise<void> {
  const { deliveries } = healthy
  await t.manage('sample', sampleTo(other))
  if (!(await healthy.delivered(deliveries + 1, firstMs))) return
  await t.emit()
  if (await healthy.delivered(deliveries + 2, firstMs)) return
  const held = Number(t.notes['failed'])
  failing.script({ status: 200 })
  if ((await untilResumed(t, healthy, failing)) > 0) {
    await arrivedIn(t, healthy, Number.POSITIVE_INFINITY, minuteMs)
    t.note('heldAfter', held)
    t.note('afterwards', await inARow(t, healthy, held + missingLeast))
  }
  t.stop('events did not come to the endpoint that does not fail')
}

/** Causes up to `most` events as long as each arrives at once; returns how many did. */
async function inARow(t: PausingDriver, healthy: Endpoint, most: number): Promise<number> {
  for (let came = 0; came < most; came++) {
    const { deliveries } = healthy
    await t.emit()
    if (!(await healthy.delivered(deliveries + 1, firstMs))) return came
  }
  return most
}

/** Waits until deliveries resume, with an event at each check; returns the minutes, or 0. */
async function untilResumed(t: PausingDriver, failing: Endpoint, healthy: Endpoint): Promise<number> {
  const { count } = failing
  for (let looks = 1; looks <= look.atMost[t.clock]; looks++) {
    if (await arrivedIn(t, failing, count + 1, look.minutes * minuteMs)) return looks * look.minutes
    t.note('waited', looks * look.minutes)
    const others = healthy.deliveries
    await t.emit()
    await healthy.delivered(others + 1)
    if (await failing.arrived(count + 1, firstMs)) return looks * look.minutes
  }
  return 0
}

const emitsMost = failuresMost + 2 * missingLeast + look.atMost.control + failuresMost

/** In development at its own port: a service may treat endpoints with the same host and port as one. */
async function healthyApart(t: Driver<'healthy[]'>): Promise<Endpoint> {
  const apart = t.development ? await t.closedEndpoint('healthy') : null
  await apart?.open()
  return apart ?? t.endpoint('healthy')
}

export const endpoint = scenario({
  title: 'a failing endpoint receives nothing for a while, and stays active',
  exchanges: ['hook', 'other', 'sample', 'list', 'failing[]', 'healthy[]'],
  needs,
  cost: { requests: 6 + emitsMost, turns: emitsMost },
  async run(t) {
    const [failing, healthy] = [t.endpoint('failing', { status: 500 }), await healthyApart(t)]
    const hook = await t.webhook('hook', failing)
    const other = await t.webhook('other', healthy)
    const pausedAfter = await untilPaused(t, failing, healthy, other)
    t.note('pausedAfter', pausedAfter)
    await t.manage('list', listWith(hook))
    if (pausedAfter === 0) return
    failing.script({ status: 200 })
    t.note('resumedAfter', await untilResumed(t, failing, healthy))
    t.note('emitted', healthy.deliveries)
    // Stored deliveries arrive now, possibly not all at once.
    await arrivedIn(t, failing, Number.POSITIVE_INFINITY, minuteMs)
  },
  judge: {
    'ATT-PAUSE': ({ failing, healthy }, { notes }) => endpointPaused(failing, healthy, pauseNotes(notes)),
    // Both endpoints belong to one receiver, so a service that pauses a whole host by name pauses both.
    'ATT-PAUSE-OWN': ({ failing, healthy }, { notes }) => {
      const { heldAfter, afterwards } = pauseNotes(notes)
      if (heldAfter === 0 || afterwards <= heldAfter)
        return given(wasPaused(failing, healthy, pauseNotes(notes)), () => pass)
      const expected = 'each event at the endpoint that does not fail'
      const got = `none once another had failed ${heldAfter} times, and ${afterwards} in a row when it failed no more`
      return warn(expected, got, deliveriesIn(failing).at(-1)?.[0])
    },
    'ATT-PAUSE-ENDS': ({ failing, healthy, hook, list }, { notes }) =>
      pauseEnds({ failing, healthy, hook, list }, pauseNotes(notes)),
    'ATT-PAUSE-ACTIVE': ({ failing, healthy, hook, list }, { notes }) =>
      staysActive({ failing, healthy, hook, list }, pauseNotes(notes)),
    // Deliveries that were held back look like any others.
  },
  observe: {
    'GAP-ENDPOINT-PAUSE': ({ failing, healthy }, { notes }) => pauseSeen(failing, healthy, pauseNotes(notes)),
    'GAP-PAUSED-EVENTS': ({ failing, healthy }, { notes }) =>
      given(wasPaused(failing, healthy, pauseNotes(notes)), () => {
        if (pauseNotes(notes).resumedAfter === 0) return inconclusive('the pause did not end')
        // Of the events until deliveries resumed; those that never arrived were dropped.
        const isKept = deliveriesIn(failing).length >= Number(notes['emitted'])
        return observed(isKept ? 'kept, and delivered afterwards' : 'not delivered afterwards')
      }),
  },
})

/**
 * Judgements on the pause of a failing endpoint. The number of failures and the length of the pause are not shown, so
 * a pause that did not start or end while the scenario waited fails no MUST clause.
 */

interface PauseNotes {
  /** Deliveries that failed before deliveries stopped; 0: they did not stop. */
  pausedAfter: number
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

function pauseNotes(notes: Readonly<Record<string, unknown>>): PauseNotes {
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
function endpointPaused(
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

interface PauseScenario {
  readonly failing: readonly Exchange[]
  readonly healthy: readonly Exchange[]
  readonly hook: Exchange
  readonly list: Exchange
}

/** A webhook that was disabled receives nothing, but is not paused without an end. */
function pauseEnds(scenario: PauseScenario, notes: PauseNotes): Judgement {
  return given(staysActive(scenario, notes), () => {
    if (notes.resumedAfter > 0) return pass
    const got = `none within ${notes.waited} minutes`
    return notes.waited >= 60 ? warn('deliveries again after a while', got) : inconclusive(got)
  })
}

function staysActive({ failing, healthy, hook, list }: PauseScenario, notes: PauseNotes): Judgement {
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
function pauseSeen(failing: readonly Exchange[], healthy: readonly Exchange[], notes: PauseNotes): Judgement {
  return given(wasPaused(failing, healthy, notes), () => {
    const { pausedAfter, resumedAfter, waited } = notes
    const length = resumedAfter > 0 ? `about ${resumedAfter}` : `more than ${waited}`
    return observed(`after ${pausedAfter} failed deliveries, for ${length} minutes`)
  })
}

function wasPaused(failing: readonly Exchange[], healthy: readonly Exchange[], notes: PauseNotes): Judgement {
  const judged = endpointPaused(failing, healthy, notes)
  return judged.is === 'warn' ? inconclusive('there was no pause') : judged
}
