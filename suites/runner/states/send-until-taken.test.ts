import { expect, test } from 'vitest'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { sendUntilTaken } from './send-until-taken.ts'

const list = (...webhooks: readonly string[]): Exchange => jsonAnswer({ webhooks })
const busy = (body: object): Exchange => jsonAnswer(body, { status: 429 })
const gone = jsonAnswer({ error: 'signed out' }, { status: 401 })
const outgoing = { ...list().request, scenario: 'double', name: 'list' }
const hasOne = (answer: Exchange): boolean =>
  Buffer.from(answer.response?.chunks[0]?.bytes ?? []).includes('"wh_1"')

/** Gives these responses, the last one repeatedly, and records waits in seconds. */
async function asked(answers: readonly Exchange[], until?: (answer: Exchange) => boolean) {
  const waited: number[] = []
  let sent = 0
  const exchange = await sendUntilTaken(outgoing, until ? { until } : {}, {
    wire: { send: async () => answers[Math.min(sent++, answers.length - 1)] ?? list() },
    wait: async (ms) => void waited.push(ms / 1000),
  })
  return { sent, waited, status: exchange.response?.status, found: hasOne(exchange) }
}

test.for([
  ['what nobody waits for is sent once', [list()], undefined, { sent: 1, waited: [] }],
  ['what shows at once is read once', [list('wh_1')], hasOne, { sent: 1, waited: [], found: true }],
  [
    'what shows late is read again',
    [list(), list(), list('wh_1')],
    hasOne,
    { sent: 3, waited: [0.25, 0.5], found: true },
  ],
  [
    'what never shows is taken at its word',
    [list()],
    hasOne,
    { sent: 6, waited: [0.25, 0.5, 1, 2, 4], found: false },
  ],
  ['a refusal is not read again', [gone], hasOne, { sent: 1, waited: [], status: 401 }],
  [
    'a 429 is waited out as it says',
    [busy({ retry_after_seconds: 30 }), list()],
    undefined,
    { sent: 2, waited: [30], status: 200 },
  ],
  [
    'a 429 that says nothing is waited out',
    [busy({}), list()],
    undefined,
    { sent: 2, waited: [15], status: 200 },
  ],
  ['a 429 for ever is an answer', [busy({})], undefined, { sent: 5, waited: [15, 15, 15, 15], status: 429 }],
] as const)('%s', async ([, answers, until, expected]) => {
  expect(await asked(answers, until)).toMatchObject(expected)
})
