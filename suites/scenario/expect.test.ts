import { describe, expect, test } from 'vitest'
import type { Judgement } from './judgement.ts'
import { jsonAnswer, reply } from '../assertions/exchange.testkit.ts'
import {
  all,
  broken,
  check,
  every,
  given,
  inconclusive,
  measured,
  notApplicable,
  observed,
  pass,
  weak,
} from './expect.ts'

const exchange = jsonAnswer(reply)

test.for([
  [broken('a', 'b'), { is: 'broken', expected: 'a', got: 'b' }],
  [broken('a', 'b', exchange), { is: 'broken', expected: 'a', got: 'b', exchange: exchange.id }],
  [weak('a', 'b'), { is: 'weak', expected: 'a', got: 'b' }],
  [weak('a', 'b', exchange), { is: 'weak', expected: 'a', got: 'b', exchange: exchange.id }],
  [observed('a'), { is: 'observed', value: 'a' }],
  [measured('2 s, then 4.5 s'), { is: 'observed', value: '2 s, then 4.5 s', alike: '# s, then # s' }],
  [inconclusive('a'), { is: 'inconclusive', because: 'a' }],
  [notApplicable('a'), { is: 'not-applicable', because: 'a' }],
  [check(true, 'a', 'b', exchange), { is: 'pass' }],
  [check(false, 'a', 'b'), { is: 'broken', expected: 'a', got: 'b' }],
  [check(false, 'a', 'b', exchange), { is: 'broken', expected: 'a', got: 'b', exchange: exchange.id }],
] as const)('%o is said in full', ([judgement, expected]) => {
  expect(judgement).toEqual(expected)
})

describe('what rests on something else', () => {
  test.for([
    [pass, observed('judged')],
    [inconclusive('a'), inconclusive('a')],
    [notApplicable('a'), notApplicable('a')],
    [broken('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b')],
    [weak('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b')],
    [observed('a'), inconclusive('the scenario did not get this far: a')],
  ] as const)('after %o', ([precondition, expected]) => {
    expect(given(precondition, () => observed('judged'))).toEqual(expected)
  })

  test('is not looked at where that does not hold', () => {
    const never = (): Judgement => expect.unreachable('it was looked at')
    expect(given(broken('a', 'b'), never).is).toBe('inconclusive')
  })
})

describe('of several', () => {
  const inOrder = [
    broken('a', 'b'),
    weak('a', 'b'),
    inconclusive('a'),
    notApplicable('a'),
    pass,
    observed('a'),
  ]

  test('the worst counts, wherever it stands', () => {
    for (const [at, worst] of inOrder.entries()) {
      expect(all(...inOrder.slice(at))).toEqual(worst)
      expect(all(...inOrder.slice(at).toReversed())).toEqual(worst)
    }
  })

  test('that are alike the first counts', () => {
    expect(all(pass, broken('first', 'b'), broken('second', 'b'))).toEqual(broken('first', 'b'))
  })

  test('none are inconclusive', () => {
    expect(all()).toEqual(inconclusive('there was nothing to judge'))
    expect(every([], () => pass)).toEqual(inconclusive('there was nothing to judge'))
  })

  test('every one is judged', () => {
    const judge = (size: number): Judgement => check(size < 3, 'less than 3', `${size}`)
    expect(every([1, 2], judge)).toEqual(pass)
    expect(every([1, 3, 4], judge)).toEqual(broken('less than 3', '3'))
  })
})
