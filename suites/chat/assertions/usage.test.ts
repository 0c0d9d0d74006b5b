import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { creditsIn, followsTurns, hasCredits, type Paid } from './usage.ts'

test.for<[unknown, number | null]>([
  [{ credits: { remaining: 0.25 } }, 0.25],
  [{ credits: { remaining: '7' } }, null],
  [{ credits_remaining: 7 }, null],
])('the credits in %o', ([body, left]) => {
  expect(creditsIn(jsonAnswer(body), {})).toBe(left)
})

test.for<[unknown, string | undefined, Judgement['is']]>([
  [{ credits: { remaining: 7 } }, undefined, 'pass'],
  [{ data: { credits: { remaining: 7 } } }, '/data', 'pass'],
  [{ data: { credits: { remaining: 7 } } }, undefined, 'inconclusive'],
  [{ data: { credits: { left: 7 } } }, '/data', 'fail'],
  [{ data: { credits_remaining: 7 } }, undefined, 'fail'],
  [{ credits: { remaining: 7 } }, '/data', 'fail'],
])('the usage %o, with its credits declared in %s', ([body, container, is]) => {
  const dialect = container === undefined ? {} : { usage: { container } }
  expect(hasCredits(jsonAnswer(body), dialect).is).toBe(is)
})

const paid = (left: number, used: number, ...reads: readonly number[]): Paid => [
  jsonAnswer({ response: 'Hello.', credits_used: used, credits_remaining: left }),
  ...reads.map((remaining) => jsonAnswer({ credits: { remaining } })),
]

test.for<[string, Paid, Paid, Judgement['is']]>([
  ['that agree', paid(99, 1, 99), paid(98, 1, 98), 'pass'],
  ['of which one rounds', paid(0.3, 1, 0.1 + 0.2), paid(0.2, 0.1, 0.2), 'pass'],
  ['that lag and catch up', paid(99, 1, 120), paid(98, 1, 120, 99, 98), 'pass'],
  ['that never move', paid(99, 1, 99), paid(98, 1, 99, 99, 99), 'fail'],
  ['that never move, far above', paid(99, 1, 599), paid(98, 1, 599), 'fail'],
  ['that stay above where the second turn took nothing', paid(99, 1, 100), paid(99, 1, 100), 'warn'],
  ['that stay one above', paid(99, 1, 100), paid(98, 1, 99), 'warn'],
  ['of which one shows less than a turn left', paid(99, 1, 98), paid(98, 1, 98), 'fail'],
  ['over which credits were added', paid(99, 1, 99), paid(98, 1, 598), 'inconclusive'],
])('reads of the usage %s', ([, first, second, is]) => {
  expect(followsTurns([first, second], {}).is).toBe(is)
})
