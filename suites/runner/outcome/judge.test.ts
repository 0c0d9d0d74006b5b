import { expect, test } from 'vitest'
import { judgeScenario } from './judge.ts'
import { answer, jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import { inForm } from '../../assertions/reply.ts'
import type { Ending } from '../../scenario/ending.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'

const judged = (judgement: Judgement) => {
  const planned = scenario({
    title: 'a scenario of nothing',
    exchanges: [],
    cost: { requests: 0, turns: 0 },
    run: () => Promise.resolve(),
    judge: { 'IDEM-REPLAY-HEADER': () => judgement },
  })
  const execution = {
    scenario: 'a/scenario',
    notes: {},
    ending: null,
    crash: null,
    states: [],
    stuck: [],
    exchanges: [],
  }
  return judgeScenario('a/scenario', planned, execution, {})[0]
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

test('what says nothing of a target needs no exchange', () => {
  expect(judged({ is: 'not-applicable', because: 'no' })?.verdict).toBe('not-applicable')
  expect(judged({ is: 'inconclusive', because: 'no' })?.verdict).toBe('inconclusive')
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
  const notes = {}
  const execution = { scenario: 'a/b', notes, ending, crash: null, states: [], stuck: [], exchanges }
  expect(judgeScenario('a/b', planned, execution, {})[0]?.reason).toBe(reason)
})

test('what is nested deeper than is read fails nothing', () => {
  const deep = '['.repeat(600) + ']'.repeat(600)
  const turn = answer(`{"response":"Hello","trace":${deep}}`, {
    headers: [['content-type', 'application/json']],
  })
  const planned = scenario({
    title: 'a turn',
    exchanges: ['turn'],
    cost: { requests: 1, turns: 1 },
    run: () => Promise.resolve(),
    judge: { 'RES-JSON': ({ turn: one }) => inForm(one, 'json') },
  })
  const about = { scenario: 'a/b', notes: {}, ending: null, crash: null, states: [], stuck: [] }
  const [finding] = judgeScenario('a/b', planned, { ...about, exchanges: [turn] }, {})
  expect(finding).toMatchObject({
    verdict: 'inconclusive',
    detail: '`turn`: its body is not read, as it is nested deeper than 500 levels',
  })
})
