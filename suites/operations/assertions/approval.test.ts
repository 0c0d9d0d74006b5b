import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { HeldEntry } from './approval-history.ts'
import { decidedIn, showsDecisions, unknownApproval, waitsUntilDecided } from './approval.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'

const declared: Dialect = {
  approval: { state: '/state', pending: ['pending'], approved: ['approved'], rejected: ['rejected'] },
}

interface Bodies {
  pending: (id: string, nth: number) => object
  approved: (id: string) => object
  rejected: (id: string) => object
}

function judged({ pending, approved, rejected }: Bodies, dialect: Dialect) {
  let nth = 0
  const decided = (['approved', 'rejected'] as const).map((decision) => ({
    decision,
    earlier: jsonAnswer(pending(decision, ++nth)),
    before: jsonAnswer(pending(decision, ++nth)),
    after: jsonAnswer((decision === 'approved' ? approved : rejected)(decision)),
  }))
  return showsDecisions(decided, dialect).is
}

const state = (word: string) => (id: string) => ({ id, state: word })

describe('what an approval says', () => {
  test.for([
    ['in declared words', state('pending'), state('approved'), state('rejected'), declared, 'pass'],
    ['in words that a search knows', state('open'), state('granted'), state('denied'), {}, 'pass'],
    ['in words of its own', state('asked'), state('yes'), state('no'), {}, 'pass'],
    [
      'in words that are declared and not these',
      state('pending'),
      state('yes'),
      state('no'),
      declared,
      'pass',
    ],
    ['that it is completed, by either', state('open'), state('completed'), state('completed'), {}, 'fail'],
    ['the other way round', state('pending'), state('rejected'), state('approved'), declared, 'fail'],
    ['that it waits', state('pending'), state('pending'), state('rejected'), declared, 'fail'],
    ['that something was decided', state('asked'), state('decided'), state('decided'), {}, 'fail'],
  ] as const)('%s', ([, pending, approved, rejected, dialect, expected]) => {
    expect(judged({ pending, approved, rejected }, dialect)).toBe(expected)
  })

  test('is not derived from values that always differ', () => {
    const counting = (id: string, nth = 9) => ({ id, asked: nth, phase: 'asked' })
    const once = (id: string) => counting(id)
    expect(judged({ pending: counting, approved: once, rejected: once }, {})).toBe('fail')
  })
})

test('an approval is looked at on either side of its decision', () => {
  const reads = [1, 2, 3, 4].map((nth) => jsonAnswer({ nth }))
  const entry = (step: HeldEntry['step'], slot: number, at?: number): HeldEntry => ({
    step,
    slot,
    count: 0,
    ...(at === undefined ? {} : { exchange: reads[at]?.id ?? 0 }),
  })
  const history = [
    entry('ask', 0),
    entry('read', 0, 0),
    entry('read', 1, 1),
    entry('approve', 0, 2),
    entry('read', 0, 3),
  ]
  const [found, ...others] = decidedIn(history, reads)
  expect(others).toEqual([])
  expect([found?.decision, found?.before, found?.after]).toEqual(['approved', reads[0], reads[3]])
})

const known = jsonAnswer({ id: 'a', phase: 'asked' })
test.for([
  ['404', jsonAnswer({ id: 'b', phase: 'asked' }, { status: 404 }), 'pass'],
  ['a failed receipt with 200', jsonAnswer({ status: 'failed', error: { code: 'NOT_FOUND' } }), 'pass'],
  ['a success with other members', jsonAnswer({ error: 'none' }), 'pass'],
  ['a success with its members', jsonAnswer({ id: 'b', phase: 'asked' }), 'fail'],
  ['a success with a decision', jsonAnswer({ state: 'rejected' }), 'fail'],
  ['500', jsonAnswer({ state: 'pending' }, { status: 500 }), 'inconclusive'],
] as const)('of an approval that does not exist: %s', ([, stranger, expected]) => {
  expect(unknownApproval(known, stranger, {}).is).toBe(expected)
})

const entry = (step: HeldEntry['step'], exchange?: Exchange): HeldEntry => ({
  step,
  slot: 0,
  count: 0,
  ...(exchange ? { exchange: exchange.id } : {}),
})
const receipt = (status: string): Exchange => jsonAnswer({ status })

test.for<[string, readonly [asked: string, again: string, after: string], Judgement['is']]>([
  ['waits', ['pending_approval', 'pending_approval', 'completed'], 'pass'],
  ['is reported as done', ['pending_approval', 'completed', 'completed'], 'fail'],
  ['is refused', ['pending_approval', 'failed', 'completed'], 'inconclusive'],
  ['waits for ever', ['pending_approval', 'pending_approval', 'pending_approval'], 'inconclusive'],
])('what comes again before its decision %s', ([, [asked, again, after], is]) => {
  const [first, second, third] = [receipt(asked), receipt(again), receipt(after)]
  const history = [entry('ask', first), entry('again', second), entry('approve'), entry('again', third)]
  expect(waitsUntilDecided(history, [first, second, third]).is).toBe(is)
})
