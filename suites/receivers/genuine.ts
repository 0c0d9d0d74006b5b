/** Deliveries with a true signature: every one has to be taken. */
import { limits, webhookEvents } from '../../spec/index.ts'
import { citing, observed, softened } from '../scenario/expect.ts'
import type { Header } from '../wire/exchange.ts'
import { accepted, delivered, quick, refusedSignature, resting, stillAccepts, unanswered } from './answers.ts'
import { bearing, digestOf, everyForm, type Delivery } from './delivery.ts'
import { each, exchangesIn } from './subject.ts'
import { receiverScenario } from './receiver-scenario.ts'

export const plain = receiverScenario({
  title: 'a genuine delivery is taken, and soon',
  exchanges: ['genuine', 'retry[]', 'in-other-case[]'],
  requests: limits.webhookAttempts + 1,
  async deliver(t) {
    const delivery = t.genuine()
    let sent = await t.deliver('genuine', delivery)
    for (let attempt = 2; attempt <= limits.webhookAttempts && unanswered(sent); attempt++)
      sent = await t.deliver('retry', delivery)
    // For a receiver that looks names up as written.
    if (refusedSignature(sent)) await t.deliver('in-other-case', spelled(t.genuine(), titleCase))
  },
  judge: {
    'RECV-GENUINE': ({ genuine, retry, 'in-other-case': others }) => {
      const judged = delivered([genuine, ...retry])
      const other = others.find((one) => accepted(one).is === 'pass')
      return other ? citing(judged, [other, 'accepted']) : judged
    },
    'RECV-QUICK': ({ genuine }) => quick(genuine),
  },
})

export const events = receiverScenario({
  title: 'a genuine delivery of each event that the receiver takes is taken',
  exchanges: ['genuine[]'],
  requests: Object.keys(webhookEvents).length,
  async deliver(t) {
    for (const event of t.events) await t.deliver('genuine', t.genuine({ event }))
  },
  judge: { 'RECV-GENUINE': ({ genuine }) => each(genuine, accepted) },
})

const texts = {
  'not-ascii': 'Zoë Ünal',
  emoji: '👩‍👩‍👧 🎉',
  separators: 'a\u2028b\u2029c\u0085d',
  'in-several-normal-forms': everyForm,
} as const
const textNames = Object.keys(texts) as (keyof typeof texts)[]
const writtenNames = [...textNames, 'in-two-writes', 'in-two-writes-within-a-character'] as const

export const text = receiverScenario({
  title: 'a genuine delivery is taken whatever is written in it, and however it comes in',
  exchanges: writtenNames,
  requests: 6,
  async deliver(t) {
    for (const name of textNames) await t.deliver(name, t.genuine({ payload: { customerName: texts[name] } }))
    const halves = t.genuine()
    await t.deliver('in-two-writes', { ...halves, splitAt: halves.body.length >> 1 })
    const cut = t.genuine({ payload: { customerName: 'Zoë' } })
    await t.deliver('in-two-writes-within-a-character', { ...cut, splitAt: within(cut) })
  },
  judge: {
    'RECV-GENUINE': (scenario) => each(exchangesIn(scenario, writtenNames), accepted),
  },
})

/** Behind the first byte of the first character that has two. */
function within({ body }: Delivery): number {
  return body.findIndex((byte) => byte >= 0x80) + 1
}

export const test = receiverScenario({
  title: 'a test delivery is taken',
  exchanges: ['test', 'marked'],
  requests: 2,
  async deliver(t) {
    const testId = (): string => t.genuine().id.replace('whd_', 'test_')
    await t.deliver('test', t.genuine({ id: testId() }))
    await t.deliver('marked', t.genuine({ id: testId(), payload: { _test: true } }))
  },
  judge: { 'RECV-GENUINE': ({ test, marked }) => each([test, marked], accepted) },
})

const casings = { upper: (name: string) => name.toUpperCase(), title: titleCase, mixed }
const casingNames = Object.keys(casings) as (keyof typeof casings)[]

export const headers = receiverScenario({
  title: 'the names of headers count in any casing',
  exchanges: ['lower', ...casingNames, 'capital-digits'],
  requests: 5,
  async deliver(t) {
    await t.deliver('lower', t.genuine())
    for (const name of casingNames) await t.deliver(name, spelled(t.genuine(), casings[name]))
    const genuine = t.genuine()
    await t.deliver('capital-digits', bearing(genuine, `sha256=${digestOf(genuine).toUpperCase()}`))
  },
  judge: {
    'RECV-HEADER-CASE': (scenario) =>
      resting([scenario.lower], () => each(exchangesIn(scenario, casingNames), accepted)),
  },
  observe: {
    'GAP-HEX-CASE': (scenario) =>
      resting([scenario.lower], () => {
        const { is } = accepted(scenario['capital-digits'])
        return observed(`capital digits are ${is === 'pass' ? '' : 'not '}accepted`)
      }),
  },
})

function spelled(delivery: Delivery, rename: (name: string) => string): Delivery {
  return { ...delivery, headers: delivery.headers.map(([name, value]): Header => [rename(name), value]) }
}

/** Words with a capital each. */
function titleCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function mixed(name: string): string {
  return name.replaceAll(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter : letter.toUpperCase()))
}

const sizes = { 'of-64-kib': 2 ** 16, 'of-1-mib': 2 ** 20 }

export const large = receiverScenario({
  title: 'a large genuine delivery is taken',
  exchanges: ['before', 'of-64-kib', 'of-1-mib'],
  requests: 3,
  async deliver(t) {
    await t.deliver('before', t.genuine())
    for (const [name, size] of Object.entries(sizes) as [keyof typeof sizes, number][])
      await t.deliver(name, t.genuine({ payload: { customerName: 'x'.repeat(size) } }))
  },
  // The contract gives no size, so a refusal is no more than a warning.
  judge: {
    'RECV-GENUINE': (scenario) =>
      resting([scenario.before], () =>
        each(exchangesIn(scenario, ['of-64-kib', 'of-1-mib']), (one) => softened(accepted(one))),
      ),
  },
})

const unknownNames = ['unknown-event', 'unknown-payload-member', 'unknown-envelope-member'] as const

export const open = receiverScenario({
  title: 'what is not known yet is taken all the same',
  exchanges: ['before', ...unknownNames],
  requests: 4,
  async deliver(t) {
    await t.deliver('before', t.genuine())
    await t.deliver('unknown-event', t.genuine({ event: 'touchstone.not_known_yet' }))
    const strange = { notKnownYet: { depth: [1, null, true] } }
    await t.deliver('unknown-payload-member', t.genuine({ payload: strange }))
    await t.deliver('unknown-envelope-member', t.genuine({ beside: strange }))
  },
  judge: {
    'RECV-OPEN': (scenario) =>
      resting([scenario.before], () => each(exchangesIn(scenario, unknownNames), accepted)),
  },
})

export const stands = receiverScenario({
  title: 'a receiver goes on after the deliveries that it accepts',
  exchanges: ['after[]'],
  requests: 2,
  isLast: true,
  // The end that comes of the first is seen with the second.
  async deliver(t) {
    await t.deliver('after', t.genuine())
    await t.deliver('after', t.genuine())
  },
  judge: { 'RECV-GENUINE': ({ after }, { notes }) => stillAccepts(after, notes) },
})
