/** An endpoint that fails again and again is left alone for a while. */
import { scenario, type Needs } from '../engine/scenario.ts'
import type { Player } from '../engine/player.ts'
import type { Endpoint } from '../engine/webhook-player.ts'
import {
  paused,
  pausedEventsSeen,
  pauseEnds,
  pauseNotes,
  pauseSeen,
  staysActive,
} from '../judge/endpoint-pause.ts'
import { eachAttempt, liveIds } from '../judge/delivery.ts'
import { hasSignature } from '../judge/signature.ts'
import { arrivedIn, listWith } from './asking.ts'

const needs: Needs = { session: true, receiver: true, event: 'any', optIn: ['slow'] }

/** Deliveries that are made to fail, at most: each takes the contract's own three attempts. */
const failuresMost = 25
/** Events that have to be missing before a story believes in a pause. */
const missingLeast = 2
/** In this time a first attempt comes, or does not: it would come at once. */
const firstMs = 15_000
/** Minutes between two looks whether deliveries come again, and how many where time costs nothing, and where it does. */
const look = { minutes: 5, atMost: { control: 13, real: 3 } } as const
const minuteMs = 60_000

type Teller = Pick<Player, 'emit' | 'note' | 'stop' | 'settle' | 'clock'>

/** Lets deliveries fail until some do not come any more; how many had failed, or 0 where all came. */
async function untilPaused(t: Teller, failing: Endpoint, healthy: Endpoint): Promise<number> {
  let missing = 0
  for (let failed = 0; failed < failuresMost;) {
    const [before, others] = [failing.count, healthy.count]
    await t.emit()
    if (!(await healthy.arrived(others + 1)))
      t.stop('an event did not come to the endpoint that does not fail')
    if (await failing.arrived(before + 1, firstMs)) {
      await failing.arrived(before + 3)
      missing = 0
      t.note('failed', ++failed)
    } else if (++missing === missingLeast) return failed
  }
  return 0
}

/** Waits until something comes again, with an event at every look; how many minutes that took, or 0. */
async function untilResumed(t: Teller, failing: Endpoint, healthy: Endpoint): Promise<number> {
  const { count } = failing
  for (let looks = 1; looks <= look.atMost[t.clock]; looks++) {
    if (await arrivedIn(t, failing, count + 1, look.minutes * minuteMs)) return looks * look.minutes
    t.note('waited', looks * look.minutes)
    const others = healthy.count
    await t.emit()
    await healthy.arrived(others + 1)
    if (await failing.arrived(count + 1, firstMs)) return looks * look.minutes
  }
  return 0
}

const emitsMost = failuresMost + missingLeast + look.atMost.control

export const endpoint = scenario({
  title: 'an endpoint that keeps failing gets nothing for a while, and stays active',
  exchanges: ['hook', 'other', 'list', 'failing[]', 'healthy[]'],
  needs,
  cost: { requests: 5 + emitsMost, turns: emitsMost },
  async play(t) {
    const [failing, healthy] = [t.endpoint('failing', { status: 500 }), t.endpoint('healthy')]
    const hook = await t.webhook('hook', failing)
    await t.webhook('other', healthy)
    const pausedAfter = await untilPaused(t, failing, healthy)
    t.note('pausedAfter', pausedAfter)
    await t.manage('list', listWith(hook))
    if (pausedAfter === 0) return
    failing.script({ status: 200 })
    t.note('resumedAfter', await untilResumed(t, failing, healthy))
    t.note('emitted', healthy.count)
    // What was kept comes now, and not all of it at once.
    await arrivedIn(t, failing, Number.POSITIVE_INFINITY, minuteMs)
  },
  judge: {
    'ATT-PAUSE': ({ failing, healthy }, { notes }) => paused(failing, healthy, pauseNotes(notes)),
    'ATT-PAUSE-ENDS': ({ failing, healthy, hook, list }, { notes }) =>
      pauseEnds({ failing, healthy, hook, list }, pauseNotes(notes)),
    'ATT-PAUSE-ACTIVE': ({ failing, healthy, hook, list }, { notes }) =>
      staysActive({ failing, healthy, hook, list }, pauseNotes(notes)),
    // What was held back meanwhile looks like any other delivery.
    'DLV-ID-LIVE': ({ failing }) => liveIds(failing),
    'SIGN-HEADER': ({ failing }) => eachAttempt(failing, hasSignature),
  },
  observe: {
    'GAP-ENDPOINT-PAUSE': ({ failing, healthy }, { notes }) => pauseSeen(failing, healthy, pauseNotes(notes)),
    'GAP-PAUSED-EVENTS': ({ failing, healthy }, { notes }) =>
      pausedEventsSeen(failing, healthy, { ...pauseNotes(notes), emitted: Number(notes['emitted']) }),
  },
})
