import { expect, test } from 'vitest'
import { attempt, sample } from '../../assertions/inbound.testkit.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { eachTime } from './events.ts'

const of = (id: string, lead: string) =>
  attempt({ id, body: { ...sample, timestamp: id, payload: { conversationId: lead } } })
const event = 'leads.submit'
const notes = { [`silent ${event}`]: 1, [`times ${event}`]: 2 }

test.for<[what: string, deliveries: readonly (readonly [id: string, lead: string])[], verdict: string]>([
  [
    'one is there and one comes late',
    [
      ['whd_1', 'a'],
      ['whd_2', 'b'],
    ],
    'pass',
  ],
  [
    'one comes twice under two ids',
    [
      ['whd_1', 'a'],
      ['whd_2', 'a'],
    ],
    'inconclusive',
  ],
  [
    'one comes twice under one id',
    [
      ['whd_1', 'a'],
      ['whd_1', 'a'],
    ],
    'inconclusive',
  ],
  ['one is missing', [['whd_1', 'a']], 'fail'],
])('of two events %s', ([, deliveries, verdict]) => {
  const arrived = deliveries.map(([id, lead]) => of(id, lead))
  const asked = { ...jsonAnswer({}), id: (arrived.at(-1)?.id ?? 0) + 0.5 }
  const sampled = attempt({ id: 'test_1', body: { ...sample, _test: true } })
  expect(eachTime([...arrived, sampled], event, [asked], notes).is).toBe(verdict)
})
