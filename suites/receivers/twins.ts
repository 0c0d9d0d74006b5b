/** A receiver decides by the signature alone whether a delivery is genuine: forged twins of every kind are refused. */
import type { Exchange, Header } from '../wire/exchange.ts'
import { gotStatus, notAccepted, resting } from './answers.ts'
import { bearing, textOf, underId, type Delivery, type Wish } from './delivery.ts'
import * as duplicates from './duplicates.ts'
import * as forged from './forged.ts'
import * as genuine from './genuine.ts'
import * as spelled from './spelled.ts'
import { all } from '../scenario/expect.ts'
import { each } from './subject.ts'
import { receiverScenario, type Courier } from './receiver-scenario.ts'

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

/** What a receiver may distinguish deliveries by: all but texts and numbers, and the size roughly. */
function kindOf({ id, body, headers, signatureHeader }: Delivery): string {
  const shape = textOf({ body: body.subarray(0, 4_096) })
    .replaceAll(/"(?:[^"\\]|\\.)*(?:"(\s*:)?|$)|\d+/g, (part, colon?: string) => (colon ? part : '""'))
    .slice(0, 1_000)
  const others = headers.filter(([name, value]) => name !== signatureHeader && value !== id)
  return JSON.stringify([id.replace(/_.*/, ''), body.length >> 15, shape, others])
}

/** A genuine delivery of each kind that there is: the other scenarios are run, and what they send has this answer. */
async function kindsOf(t: Courier, answer: Exchange): Promise<readonly Delivery[]> {
  const made = new Map<string, Delivery>()
  const make = (wish?: Wish): Delivery => {
    const delivery = t.genuine(wish)
    made.set(kindOf(delivery), delivery)
    return delivery
  }
  const [nothing, deliver] = [() => Promise.resolve(), () => Promise.resolve(answer)]
  const posts = { deliver, deliverForged: nothing, together: async () => [] }
  const waits = { stands: nothing, processed: nothing, allSettled: nothing, pause: nothing }
  const silent: Courier = { ...t, genuine: make, ...posts, ...waits, settled: async () => 0 }
  for (const scenario of [genuine, forged, spelled, duplicates].flatMap((file) => Object.values(file)))
    await scenario.deliver(silent)
  for (const wish of wishes) make(wish)
  return [...made.values()]
}

export const kinds = receiverScenario({
  title: 'a forged delivery is refused, whatever kind of delivery it is',
  exchanges: ['before', 'twin[]', 'unsigned[]', 'after'],
  requests: 161,
  async deliver(t) {
    const plain = t.genuine()
    const before = await t.deliver('before', t.genuine())
    // Without the event, then without the id as well.
    const bare = [-1, -2].map((end) => ({ ...plain, headers: plain.headers.slice(0, end) }))
    const marked = marks.map((mark) => ({
      ...plain,
      headers: [...plain.headers.filter(([name]) => name !== mark[0]), mark],
    }))
    for (const kind of [...(await kindsOf(t, before)), ...marked, ...bare]) {
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
