/** A receiver decides by the signature alone whether a delivery is genuine: forged twins of every kind are refused. */
import type { Header } from '../wire/exchange.ts'
import { gotStatus, notAccepted, resting } from './answers.ts'
import { bearing, underId, type Delivery, type Wish } from './delivery.ts'
import { all } from '../scenario/expect.ts'
import { each } from './subject.ts'
import { receiverScenario } from './receiver-scenario.ts'

/** What a receiver may take for a sign that nothing has to be checked, beside the kinds of other scenarios. */
const wishes: readonly Wish[] = [
  { payload: { test: true, sandbox: true, debug: true, mode: 'test' } },
  { beside: { _test: true, test: true, sandbox: true, livemode: false } },
  { write: (envelope) => JSON.stringify({ ...envelope, payload: {} }) },
  { write: (envelope) => JSON.stringify({ ...envelope, payload: null }) },
  { write: ({ eventType }) => JSON.stringify({ eventType }) },
  ...['ping', 'test', 'webhook.test', 'webhook.verification'].map((event) => ({ event })),
]

const marks: readonly Header[] = [
  ['x-test', 'true'],
  ['x-debug', 'true'],
  ['x-webhook-test', 'true'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-real-ip', '127.0.0.1'],
  ['x-internal', 'true'],
  ['authorization', 'Bearer test'],
  ['origin', 'http://localhost'],
  ['content-type', 'text/plain'],
  ['user-agent', 'curl/8.5.0'],
  ['user-agent', 'Mozilla/5.0'],
  ['user-agent', ''],
]

const marked = (delivery: Delivery, [name, value]: Header): Delivery => ({
  ...delivery,
  headers: [...delivery.headers.filter(([other]) => other !== name), [name, value]],
})

/** Without its last headers: the event, then the id as well. */
const bare = (delivery: Delivery, lost: number): Delivery => ({
  ...delivery,
  headers: delivery.headers.slice(0, -lost),
})

export const kinds = receiverScenario({
  title: 'a forged delivery is refused, whatever kind of delivery it is',
  exchanges: ['before', 'twin[]', 'unsigned[]', 'after'],
  requests: 161,
  async deliver(t) {
    const plain = t.genuine()
    await t.deliver('before', t.genuine())
    for (const wish of wishes) t.genuine(wish)
    const odd = [...marks.map((mark) => marked(plain, mark)), bare(plain, 1), bare(plain, 2)]
    for (const kind of [...t.kinds(), ...odd]) {
      const fresh = (): Delivery => underId(kind, t.genuine().id.replace('whd', kind.id.replace(/_.*/, '')))
      await t.deliverForged('twin', bearing(fresh(), t.sign(kind.body, 'touchstone-has-another')))
      await t.deliverForged('unsigned', bearing(fresh()))
    }
    await t.deliver('after', plain)
  },
  judge: {
    'RECV-WRONG-SECRET': ({ before, twin, after }) =>
      resting([before], () => all(each(twin, notAccepted), gotStatus(after))),
    'RECV-UNSIGNED': ({ before, unsigned, after }) =>
      resting([before], () => all(each(unsigned, notAccepted), gotStatus(after))),
  },
})
