/** The route that sends a sample event. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import {
  arrivalsFirst,
  someArrived,
  noneArrived,
  since,
  until,
  attemptsIn,
  deliveriesIn,
  isTestDelivery,
} from '../assertions/deliveries.ts'
import { idsApart } from '../assertions/delivery.ts'
import { endedBySuccess } from '../assertions/management/attempts.ts'
import { all, check, given, observed, inTurn, need } from '../../scenario/expect.ts'
import {
  resultOf,
  refusedCredentials,
  requestAccepted,
  createdWebhook,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { untilSilent } from '../webhook-requests.ts'

/** A single duplicate is allowed, one of each is not. */
const samples = 3

export const sample = scenario({
  title: 'the test route sends samples, each once and with its own id, and only to a signed-in user',
  exchanges: ['creation', 'test', 'more[]', 'refused', 'arrived[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3 + samples, turns: 0 },
  async run(t) {
    const endpoint = t.endpoint('arrived')
    const { id } = await t.webhook('creation', endpoint)
    const path = `/${encodeURIComponent(id)}/test`
    const { count } = endpoint
    await t.manage('test', { method: 'POST', path })
    t.note('atOnce', await endpoint.arrived(count + 1, atOnceMs))
    await endpoint.arrived(count + 1)
    for (let sent = 1; sent < samples; sent++) {
      const { count: before } = endpoint
      await t.manageMore('more', { method: 'POST', path })
      await endpoint.arrived(before + 1)
    }
    // Samples that a service sends at creation have arrived before the key is used.
    await untilSilent(t, endpoint)
    await t.manage('refused', { method: 'POST', path, as: 'self' })
    await t.settle(graceMs)
  },
  judge: {
    // Without a delivery the receiver may be unreachable: only a scenario with a live event can judge that.
    'HOOK-TEST': ({ creation, test, arrived }, { notes }) =>
      inTurn(
        need(createdWebhook(creation)),
        requestAccepted(test),
        need(someArrived(attemptsIn(arrived), 'the endpoint')),
        isImmediate(notes, test),
      ),
    'HOOK-KEY-READ': ({ refused, test, arrived }) =>
      given(all(requestAccepted(test), someArrived(attemptsIn(arrived), 'the endpoint')), () =>
        all(
          refusedCredentials(refused, 'a test with an API key'),
          noneArrived(since(arrived, refused).filter(isTestDelivery), 'no sample for the key'),
        ),
      ),
    'DLV-ID-UNIQUE': ({ refused, arrived }) => idsApart([until(arrived, refused)], samples),
    'ATT-DELIVERED': ({ arrived }) => arrivalsFirst(arrived, () => endedBySuccess(deliveriesIn(arrived))),
  },
  observe: {
    'GAP-WEBHOOK-BODIES': ({ creation, test }) =>
      given(createdWebhook(creation), () =>
        observed(`a test is ${resultOf(test)}, with ${object(test) ? 'an object' : 'no object'}`),
      ),
  },
})

/** On the target's clock. "Immediately" is no number: this is far longer than a queue takes. */
const atOnceMs = 20_000

function isImmediate({ atOnce }: Context['notes'], test: Exchange): Judgement {
  return check(atOnce !== false, `a sample within ${atOnceMs / 1_000} seconds`, 'one that came later', test)
}

/** Time on the target's clock for a sample that the key may have caused. */
const graceMs = 1_000
