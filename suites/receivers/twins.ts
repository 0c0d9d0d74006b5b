/** A receiver decides by the signature alone whether a delivery is genuine: forged twins of every kind are refused. */
import type { Header } from '../wire/exchange.ts'
import { notAccepted, resting } from './answers.ts'
import { bearing, underId, type Delivery, type Wish } from './delivery.ts'
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
  exchanges: ['before', 'twin[]', 'unsigned[]'],
  requests: 160,
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
  },
  judge: {
    'RECV-WRONG-SECRET': ({ before, twin }) => resting([before], () => each(twin, notAccepted)),
    'RECV-UNSIGNED': ({ before, unsigned }) => resting([before], () => each(unsigned, notAccepted)),
  },
})
