import { describe, expect, test } from 'vitest'
import { all, fail, every, given, inconclusive, notApplicable, observed, pass, warn } from './expect.ts'

test.for([
  [pass, observed('judged')],
  [inconclusive('a'), inconclusive('a')],
  [notApplicable('a'), notApplicable('a')],
  [fail('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b', fail('a', 'b'))],
  [warn('a', 'b'), inconclusive('the scenario did not get this far: expected a, got b', warn('a', 'b'))],
  [observed('a'), inconclusive('the scenario did not get this far: a')],
] as const)('what rests on something else after %o', ([precondition, expected]) => {
  expect(given(precondition, () => observed('judged'))).toEqual(expected)
})

describe('of several', () => {
  const inOrder = [fail('a', 'b'), warn('a', 'b'), inconclusive('a'), notApplicable('a'), pass, observed('a')]

  test('the worst counts, wherever it stands', () => {
    for (const [at, worst] of inOrder.entries()) {
      expect(all(...inOrder.slice(at))).toEqual(worst)
      expect(all(...inOrder.slice(at).toReversed())).toEqual(worst)
    }
  })

  test('none are inconclusive', () => {
    expect(all()).toEqual(inconclusive('there was nothing to judge'))
    expect(every([], () => pass)).toEqual(inconclusive('there was nothing to judge'))
  })
})
