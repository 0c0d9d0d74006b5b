/** When a delivery has succeeded: what ends it, and how long an answer is waited for. */
import type { Answer } from '../../inbound/inbox.ts'
import { scenario, type Needs } from '../../scenario/scenario.ts'
import { gaveUpOn, waitedFor } from '../assertions/management/answer-wait.ts'
import {
  endedBy,
  endedBySuccess,
  endedLate,
  nextAfter,
  orderSeen,
} from '../assertions/management/attempts.ts'
import { deliveriesIn } from '../assertions/deliveries.ts'
import { arrivalsFirst, idsApart } from '../assertions/delivery.ts'
import { untilSilent } from '../webhook-requests.ts'

const needs: Needs = { session: true, receiver: true, event: 'any' }

/** Two events to each webhook: a duplicate of one delivery is allowed, of each it is a habit. */
const events = 2

/** Enough for two events to have different timestamps. */
const apartMs = 5

export const delivered = scenario({
  title: 'a delivery that was answered 200 is not tried again',
  exchanges: ['hook', 'other', 'arrived[]', 'elsewhere[]'],
  needs,
  cost: { requests: 4 + events, turns: events },
  async run(t) {
    const places = [t.endpoint('arrived'), t.endpoint('elsewhere')] as const
    await t.webhook('hook', places[0])
    await t.webhook('other', places[1])
    for (let sent = 0; sent < events; sent++) {
      await t.emit()
      await t.wait(apartMs)
    }
    for (const place of places) await place.arrived(events)
    await untilSilent(t, ...places)
  },
  judge: {
    'ATT-DELIVERED': ({ arrived, elsewhere }) => {
      const all = [...arrived, ...elsewhere]
      return arrivalsFirst(all, () => endedBySuccess(deliveriesIn(all)))
    },
    'DLV-ID-UNIQUE': ({ arrived, elsewhere }) => idsApart([arrived, elsewhere], events),
  },
  observe: {
    'GAP-EVENT-ORDER': ({ arrived }) => orderSeen(arrived),
  },
})

const successes = [201, 202, 204, 299] as const

export const otherSuccess = scenario({
  title: 'any other 2xx ends a delivery just so',
  exchanges: ['hooks[]', 'arrived[]'],
  needs,
  cost: { requests: 2 * successes.length + events, turns: events },
  async run(t) {
    const places = successes.map((status) => t.endpoint('arrived', { status }))
    for (const place of places) await t.webhookMore('hooks', place)
    for (let sent = 0; sent < events; sent++) await t.emit()
    for (const place of places) await place.arrived(events)
    await untilSilent(t, ...places)
  },
  judge: {
    'ATT-DELIVERED-2XX': ({ arrived }) => endedBy(arrived, successes),
  },
})

const failsOnce: readonly Answer[] = [{ status: 500 }, { status: 200 }]

export const deliveredLate = scenario({
  title: 'a delivery that succeeds at the second attempt has no third',
  exchanges: ['hook', 'arrived[]'],
  needs,
  cost: { requests: 2 + events, turns: events },
  async run(t) {
    const place = t.endpoint('arrived', ...failsOnce)
    await t.webhook('hook', place)
    for (let sent = 0; sent < events; sent++) {
      const { count } = place
      place.script(...failsOnce)
      await t.emit()
      if (!(await place.arrived(count + 2))) return
    }
    await untilSilent(t, place)
  },
  judge: {
    'ATT-DELIVERED-LATE': ({ arrived }) => endedLate(arrived),
  },
})

/** Webhooks with one event. */
const several = 3

/** Under six seconds, with room for what the scenario itself takes. */
const inTimeMs = 5_000
/** Over fifteen. */
const tooLateMs = 16_000
/** Real time in which an answer gets to the sender before its clock is moved on. */
const onItsWayMs = 200

const heldOnce: readonly Answer[] = ['hold', { status: 200 }]

export const answeredInTime = scenario({
  title: 'an answer that comes after five seconds still counts',
  exchanges: ['hooks[]', 'arrived[]'],
  needs,
  cost: { requests: 2 * several + 1, turns: 1 },
  async run(t) {
    const places = Array.from({ length: several }, () => t.endpoint('arrived', ...heldOnce))
    for (const place of places) await t.webhookMore('hooks', place)
    await t.emit()
    for (const place of places) if (!(await place.arrived(1))) t.stop('no delivery reached the receiver')
    await t.wait(inTimeMs)
    for (const place of places) place.release()
    await t.pause(onItsWayMs)
    await untilSilent(t, ...places)
  },
  judge: {
    'ATT-WAIT-LOWER': ({ arrived }) => waitedFor(arrived),
  },
})

export const answeredTooLate = scenario({
  title:
    'an answer that comes after sixteen seconds does not count any more, and none at all is none three times',
  exchanges: ['hooks[]', 'held[]', 'silent[]'],
  needs,
  cost: { requests: 5, turns: 1 },
  async run(t) {
    const held = t.endpoint('held', ...heldOnce)
    const silent = t.endpoint('silent', 'hang', 'hang', { status: 200 })
    for (const place of [held, silent]) await t.webhookMore('hooks', place)
    await t.emit()
    if (!(await held.arrived(1))) t.stop('no delivery reached the receiver')
    await t.wait(tooLateMs)
    held.release()
    await t.pause(onItsWayMs)
    await held.arrived(2)
    for (const attempts of [2, 3]) await silent.arrived(attempts)
  },
  judge: {
    'ATT-WAIT-UPPER': ({ held }) => gaveUpOn(held),
    'ATT-SECOND-SILENT': ({ silent }) => gaveUpOn(silent),
    'ATT-THIRD': ({ silent }) => nextAfter(silent, 2),
  },
})
