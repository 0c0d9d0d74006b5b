/** The route that sends a sample event. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { someArrived, noneArrived, since, attemptsIn, isTestDelivery } from '../assertions/deliveries.ts'
import { all, check, given, observed, inTurn, need } from '../../scenario/expect.ts'
import {
  resultOf,
  refusedCredentials,
  requestAccepted,
  createdWebhook,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const sample = scenario({
  title: 'the test route sends a sample, and only to a signed-in user',
  exchanges: ['creation', 'test', 'refused', 'arrived[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 4, turns: 0 },
  async run(t) {
    const endpoint = t.endpoint('arrived')
    const { id } = await t.webhook('creation', endpoint)
    const path = `/${encodeURIComponent(id)}/test`
    const { count } = endpoint
    await t.manage('test', { method: 'POST', path })
    t.note('atOnce', await endpoint.arrived(count + 1, atOnceMs))
    await endpoint.arrived(count + 1)
    // Samples that a service sends at creation have arrived before the key is used.
    await t.settle(graceMs)
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
