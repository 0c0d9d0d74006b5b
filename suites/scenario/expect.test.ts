import { describe, expect, test } from 'vitest'
import type { Judgement } from './scenario.ts'
import { jsonAnswer, reply } from '../assertions/exchange.testkit.ts'
import {
  all,
  fail,
  check,
  every,
  given,
  inconclusive,
  measured,
  notApplicable,
  observed,
  pass,
  warn,
} from './expect.ts'

const exchange = jsonAnswer(reply)

test.for([
  [fail('a', 'b'), { is: 'fail', expected: 'a', got: 'b' }],
  [fail('a', 'b', exchange), { is: 'fail', expected: 'a', got: 'b', exchange: exchange.id }],
  [warn('a', 'b'), { is: 'warn', expected: 'a', got: 'b' }],
  [warn('a', 'b', exchange), { is: 'warn', expected: 'a', got: 'b', exchange: exchange.id }],
  [observed('a'), { is: 'observed', value: 'a' }],
  [measured('2 s, then 4.5 s'), { is: 'observed', value: '2 s, then 4.5 s', alike: '# s, then # s' }],
  [inconclusive('a'), { is: 'inconclusive', because: 'a' }],
  [notApplicable('a'), { is: 'not-applicable', because: 'a' }],
  [check(true, 'a', 'b', exchange), { is: 'pass' }],
  [check(false, 'a', 'b'), { is: 'fail', expected: 'a', got: 'b' }],
  [check(false, 'a', 'b', exchange), { is: 'fail', expected: 'a', got: 'b', exchange: exchange.id }],
] as const)('%o is said in full', ([judgement, expected]) => {
  expect(judgement).toEqual(expected)
})

describe('what rests on something else', () => {
  test.for([
    [pass, observed('judged')],
    [inconclusive('a'), inconclusive('a')],
    [notApplicable('a'), notApplicable('a')],
    [fail('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b')],
    [warn('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b')],
    [observed('a'), inconclusive('the scenario did not get this far: a')],
  ] as const)('after %o', ([precondition, expected]) => {
    expect(given(precondition, () => observed('judged'))).toEqual(expected)
  })

  test('is not looked at where that does not hold', () => {
    const never = (): Judgement => expect.unreachable('it was looked at')
    expect(given(fail('a', 'b'), never).is).toBe('inconclusive')
  })
})

describe('of several', () => {
  const inOrder = [fail('a', 'b'), warn('a', 'b'), inconclusive('a'), notApplicable('a'), pass, observed('a')]

  test('the worst counts, wherever it stands', () => {
    for (const [at, worst] of inOrder.entries()) {
      expect(all(...inOrder.slice(at))).toEqual(worst)
      expect(all(...inOrder.slice(at).toReversed())).toEqual(worst)
    }
  })

  test('that are alike the first counts', () => {
    expect(all(pass, fail('first', 'b'), fail('second', 'b'))).toEqual(fail('first', 'b'))
  })

  test('none are inconclusive', () => {
    expect(all()).toEqual(inconclusive('there was nothing to judge'))
    expect(every([], () => pass)).toEqual(inconclusive('there was nothing to judge'))
  })

  test('every one is judged', () => {
    const judge = (size: number): Judgement => check(size < 3, 'less than 3', `${size}`)
    expect(every([1, 2], judge)).toEqual(pass)
    expect(every([1, 3, 4], judge)).toEqual(fail('less than 3', '3'))
  })
})
