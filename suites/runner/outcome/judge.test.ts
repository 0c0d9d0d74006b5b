import { expect, test } from 'vitest'
import { judgeScenario } from './judge.ts'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import type { Ending } from '../../scenario/ending.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'

const nothing = {
  scenario: 'a/b',
  notes: {},
  ending: null,
  crash: null,
  states: [],
  stuck: [],
  exchanges: [],
}

const judged = (judgement: Judgement) => {
  const planned = scenario({
    title: 'a scenario of nothing',
    exchanges: [],
    cost: { requests: 0, turns: 0 },
    run: () => Promise.resolve(),
    judge: { 'IDEM-REPLAY-HEADER': () => judgement },
  })
  return judgeScenario('a/b', planned, nothing, {})[0]
}

test.for<[Judgement, string]>([
  [{ is: 'pass' }, 'the judge passed without looking at an exchange'],
  [
    { is: 'fail', expected: 'this', got: 'that' },
    'the judge gave a fail (expected this, got that) without looking at an exchange',
  ],
  [
    { is: 'warn', expected: 'this', got: 'that' },
    'the judge gave a warn (expected this, got that) without looking at an exchange',
  ],
])('what says %j of a target and rests on no exchange is an error of ours', ([judgement, detail]) => {
  expect(judged(judgement)).toMatchObject({ verdict: 'error', detail, evidence: [] })
})

test.for<[string, string[], Ending | null, 'target-unavailable' | undefined]>([
  ['the lost exchange', ['lost'], null, 'target-unavailable'],
  ['another exchange', ['found'], null, undefined],
  [
    'no lost exchange, of a scenario that ended early',
    ['found'],
    { is: 'inconclusive', because: 'it stopped' },
    'target-unavailable',
  ],
])('an inconclusive check that rests on %s', ([, read, ending, reason]) => {
  const planned = scenario({
    title: 'a scenario that lost a request',
    exchanges: ['lost', 'found'],
    cost: { requests: 2, turns: 0 },
    run: () => Promise.resolve(),
    judge: {
      'IDEM-REPLAY-HEADER': (named) => {
        for (const name of read) void named[name as 'lost']
        return { is: 'inconclusive', because: 'no' }
      },
    },
  })
  const found = { ...jsonAnswer(reply), id: 2, name: 'found' }
  const failure = { kind: 'reset', message: 'the connection was reset' } as const
  const exchanges = [{ ...found, id: 1, name: 'lost', response: null, failure }, found]
  const execution = { ...nothing, ending, exchanges }
  expect(judgeScenario('a/b', planned, execution, {})[0]?.reason).toBe(reason)
})

test('a delivery that our own receiver took late is no reason for a failure', () => {
  const late = { place: '/a', targetAt: 0, stalled: true } as const
  const planned = scenario({
    title: 'a scenario with a delivery',
    exchanges: ['arrived'],
    cost: { requests: 1, turns: 0 },
    run: () => Promise.resolve(),
    judge: {
      'IDEM-REPLAY-HEADER': ({ arrived }) => ({ is: 'fail', expected: 'a', got: 'b', exchange: arrived.id }),
    },
  })
  const exchanges = [{ ...jsonAnswer(reply), id: 1, name: 'arrived', inbound: late }]
  const execution = { ...nothing, exchanges }
  expect(judgeScenario('a/b', planned, execution, {})[0]?.verdict).toBe('inconclusive')
})

test('what reads a skipped step has its reason', () => {
  const planned = scenario({
    title: 'a scenario that skipped a step',
    exchanges: ['found', 'poor[]'],
    cost: { requests: 2, turns: 0 },
    run: () => Promise.resolve(),
    judge: { 'IDEM-REPLAY-HEADER': ({ poor }) => ({ is: 'pass', rests: [poor.length] }) },
  })
  const notes = { 'skipped poor': '{"is":"not-exercised","reason":"principal-missing","because":"no key"}' }
  const execution = { ...nothing, notes, exchanges: [{ ...jsonAnswer(reply), id: 1, name: 'found' }] }
  expect(judgeScenario('a/b', planned, execution, {})[0]?.reason).toBe('principal-missing')
})
