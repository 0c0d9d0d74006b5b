import { expect, test } from 'vitest'
import { balanced, remaining, used } from './credits.ts'
import { jsonAnswer, reply, replayHeader } from './exchange.testkit.ts'

const turn = (credits_remaining: unknown, credits_used: unknown = 1, made: object = {}) =>
  jsonAnswer({ ...reply, credits_used, credits_remaining }, made)
const replay = (left: number) =>
  turn(left, 1, {
    headers: [
      ['content-type', 'application/json'],
      [replayHeader, 'true'],
    ],
  })
const refused = (status: number) => jsonAnswer({ error: 'no' }, { status, name: 'lost' })

test('credits are numbers, or nothing is known of them', () => {
  expect([used(turn(40, 2)), remaining(turn(40, 2))]).toEqual([2, 40])
  expect([used(turn('40', '2')), remaining(turn('40', '2'))]).toEqual([null, null])
})

test.for([
  ['the next turn', turn(41), turn(40), [], 'pass'],
  ['a turn that costs more', turn(41), turn(38.5, 2.5), [], 'pass'],
  ['rounding', turn(41), turn(40.0000009), [], 'pass'],
  ['a turn that gives what it should take', turn(41), turn(42), [], 'fail'],
  ['an account that was filled up', turn(41), turn(90), [], 'inconclusive'],
  ['more than rounding', turn(41), turn(40.000002), [], 'fail'],
  ['a turn between', turn(41), turn(39), [turn(40)], 'pass'],
  ['a turn between that cost nothing', turn(41), turn(40), [turn(41)], 'fail'],
  ['a replay between', turn(41), turn(40), [replay(41)], 'pass'],
  ['a replay between that was charged', turn(41), turn(39), [replay(40)], 'fail'],
  ['a refusal between', turn(41), turn(40), [refused(400)], 'pass'],
  ['a refusal between that was charged', turn(41), turn(39), [refused(400)], 'fail'],
  ['a server error between', turn(41), turn(40), [refused(500)], 'inconclusive'],
  ['a broken connection between', turn(41), turn(40), [turn(41, 1, { failure: 'reset' })], 'inconclusive'],
  [
    'one that went out twice and was refused',
    turn(41),
    turn(40),
    [{ ...refused(400), resent: true }],
    'inconclusive',
  ],
  [
    'no answer between',
    turn(41),
    turn(40),
    [{ ...turn(41, 1, { failure: 'reset' }), response: null }],
    'inconclusive',
  ],
  ['one that went out twice and ran', turn(41), turn(39), [{ ...turn(40), resent: true }], 'pass'],
  ['no number at first', turn('41'), turn(40), [], 'inconclusive'],
  ['no number at last', turn(41), turn(null), [], 'inconclusive'],
  ['no number for what was used', turn(41), turn(40, null), [], 'inconclusive'],
  ['no number for what was used between', turn(41), turn(39), [turn(40, '1')], 'inconclusive'],
  ['no first reply', refused(400), turn(40), [], 'inconclusive'],
  ['no last reply', turn(41), refused(400), [], 'inconclusive'],
] as const)('the books after %s', ([, first, last, between, expected]) => {
  expect(balanced(first, last, between).is).toBe(expected)
})

test('a wrong amount is reported in credits, an unknown one by its exchange', () => {
  expect(balanced(turn(41.3), turn(41.3, 0.1))).toMatchObject({
    expected: '41.2 credits left',
    got: '41.3 left',
  })
  const lost = refused(502)
  expect(balanced(turn(41), turn(40), [lost])).toEqual({
    is: 'inconclusive',
    because: `whether \`lost\` (exchange ${lost.id}) was charged is not known`,
  })
})

test('what is not known is named', () => {
  expect(balanced(turn(41), turn(40), [{ ...refused(500), id: 9 }])).toEqual({
    is: 'inconclusive',
    because: 'whether `lost` (exchange 9) was charged is not known',
  })
  expect(balanced(turn('41'), turn(40))).toMatchObject({ because: 'a reply has no number for its credits' })
})
