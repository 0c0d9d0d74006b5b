/** The route that sends a sample event. */
import type { Judgement } from '../../scenario/judgement.ts'
import { scenario, type Context } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { came, reached, silent, since, until } from '../assertions/new-deliveries.ts'
import { attemptsIn, isTest } from '../assertions/deliveries.ts'
import { all, check, given, observed } from '../../scenario/expect.ts'
import { fate, keptOut, taken } from '../assertions/management/managed.ts'
import { created } from '../assertions/management/webhook-record.ts'
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
    // What a service sends of its own accord, such as a sample at the creation, is over before the key knocks.
    await t.settle(graceMs)
    await t.manage('refused', { method: 'POST', path, as: 'self' })
    await t.settle(graceMs)
  },
  judge: {
    // That nothing comes may be for want of a way to us: only the scenario beside a live event tells.
    'HOOK-TEST': ({ creation, test, arrived }, { notes }) =>
      given(created(creation), () =>
        all(
          taken(test),
          given(came(attemptsIn(arrived), 'the endpoint'), () => isImmediate(notes, test)),
        ),
      ),
    'HOOK-KEY-READ': ({ refused, test, arrived }) =>
      given(all(taken(test), came(attemptsIn(arrived), 'the endpoint')), () =>
        all(
          keptOut(refused, 'a test with an API key'),
          silent(since(arrived, refused).filter(isTest), 'no sample for the key'),
        ),
      ),
  },
  observe: {
    'GAP-WEBHOOK-BODIES': ({ creation, test }) =>
      given(created(creation), () =>
        observed(`a test is ${fate(test)}, with ${object(test) ? 'an object' : 'no object'}`),
      ),
  },
})

/** On the target's clock. "Immediately" is no number: this is far more than a queue takes. */
const atOnceMs = 20_000

function isImmediate({ atOnce }: Context['notes'], test: Exchange): Judgement {
  return check(atOnce !== false, `a sample within ${atOnceMs / 1_000} seconds`, 'one that came later', test)
}

/** For what the key might have set off, on the target's clock. */
const graceMs = 1_000

export const besideLive = scenario({
  title: 'the test route sends a sample to where a live event just came',
  exchanges: ['creation', 'test', 'arrived[]'],
  needs: { session: true, receiver: true, event: 'any', extra: true },
  cost: { requests: 4, turns: 1 },
  async run(t) {
    const endpoint = t.endpoint('arrived')
    const { id } = await t.webhook('creation', endpoint)
    await t.emit()
    await endpoint.arrived(1)
    const { count } = endpoint
    await t.manage('test', { method: 'POST', path: `/${encodeURIComponent(id)}/test` })
    await endpoint.arrived(count + 1)
  },
  judge: {
    'HOOK-TEST': ({ test, arrived }) =>
      given(came(until(arrived, test), 'the endpoint before the test'), () =>
        all(taken(test), reached(since(arrived, test), 'a sample at the endpoint', test)),
      ),
  },
})
