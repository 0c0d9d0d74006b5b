import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyedRequest, numbered } from './keyed-request.testkit.ts'
import {
  violationsOf,
  type KeyedRequest,
  type KeyHistory,
  type RequestOutcome,
  type ViolationName,
} from './history-rules.ts'
import { hasLinearization } from './linearization.testkit.ts'

const named = (history: KeyHistory): readonly ViolationName[] => [
  ...new Set(violationsOf(numbered(history)).map(({ name }) => name)),
]

const ran = keyedRequest('ran', 0, 4)
const rival = { message: 'n', content: 'n' } as const

describe('each rule names what no order of events explains', () => {
  const cases: readonly (readonly [ViolationName, KeyHistory])[] = [
    ['no-run', [keyedRequest('in-progress', 0, 1), keyedRequest('replayed', 2, 3)]],
    ['second-run', [ran, keyedRequest('ran', 1, 5)]],
    ['second-run', [ran, keyedRequest('begun', 1, 5)]],
    ['original-after-reply', [ran, keyedRequest('ran', 5, 6)]],
    [
      'original-after-reply',
      [keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3), keyedRequest('ran', 5, 6)],
    ],
    ['replay-before-run', [keyedRequest('replayed', 0, 1), keyedRequest('lost', 2, 3)]],
    ['rival-served', [ran, keyedRequest('ran', 1, 5, rival)]],
    ['rival-served', [ran, keyedRequest('replayed', 5, 6, rival)]],
    ['different-response', [ran, keyedRequest('replayed', 5, 6, { response: 'bye' })]],
    [
      'different-response',
      [
        keyedRequest('lost', 0, 1),
        keyedRequest('replayed', 2, 3),
        keyedRequest('replayed', 4, 5, { response: 'bye' }),
      ],
    ],
    ['different-conversation', [ran, keyedRequest('replayed', 5, 6, { conversation: 'd' })]],
    ['in-progress-after-reply', [ran, keyedRequest('in-progress', 5, 6)]],
    ['in-progress-after-reply', [ran, keyedRequest('replayed', 1, 2), keyedRequest('in-progress', 3, 4)]],
    ['in-progress-without-run', [keyedRequest('in-progress', 0, 1), keyedRequest('ran', 2, 3)]],
    ['conflict-without-rival', [ran, keyedRequest('conflict', 1, 2)]],
    [
      'conflict-without-rival',
      [ran, keyedRequest('conflict', 1, 2), keyedRequest('in-progress', 1, 2, rival)],
    ],
    ['conflict-after-own-reply', [ran, keyedRequest('lost', 1, 2, rival), keyedRequest('conflict', 5, 6)]],
    ['uncertain-after-reply', [ran, keyedRequest('lost', 1, 2), keyedRequest('uncertain', 5, 6)]],
    ['uncertain-without-loss', [ran, keyedRequest('uncertain', 1, 2)]],
  ]

  test.for(cases)('%s: %#', ([name, history]) => {
    expect(named(history)).toContain(name)
    expect(hasLinearization(numbered(history))).toBe(false)
  })

  test.for<readonly [string, KeyHistory]>([
    ['nothing was sent', []],
    [
      'one runs and the others are in progress or replayed',
      [ran, keyedRequest('in-progress', 1, 2), keyedRequest('replayed', 3, 5)],
    ],
    ['a replay arrived before the response of the turn had ended', [ran, keyedRequest('replayed', 1, 2)]],
    [
      'the request that ran received no response',
      [keyedRequest('lost', 0, 1), keyedRequest('in-progress', 2, 3), keyedRequest('replayed', 4, 5)],
    ],
    ['the lost one arrived after the other', [keyedRequest('lost', 0, 1), keyedRequest('ran', 2, 3)]],
    [
      'a refused request occupied the key until then',
      [keyedRequest('refused', 0, 3), keyedRequest('in-progress', 1, 2)],
    ],
    [
      'the other message is in progress, or a conflict',
      [ran, keyedRequest('in-progress', 1, 2, rival), keyedRequest('conflict', 1, 9, rival)],
    ],
    [
      'the same message in another mode is a conflict',
      [ran, keyedRequest('conflict', 5, 6, { content: 'm as stream' })],
    ],
    [
      'the same message with its key elsewhere is a conflict',
      [ran, keyedRequest('conflict', 5, 6, { carrier: 'idempotency-key' })],
    ],
    [
      'the same message with its key elsewhere is a conflict at once',
      [keyedRequest('ran', 0, 4), keyedRequest('conflict', 1, 2, { carrier: 'idempotency-key' })],
    ],
    [
      'a turn whose client went away is uncertain',
      [keyedRequest('begun', 0, 1), keyedRequest('uncertain', 2, 3)],
    ],
    [
      'what was uncertain was reconciled',
      [keyedRequest('begun', 0, 1), keyedRequest('uncertain', 2, 3), keyedRequest('replayed', 4, 5)],
    ],
    [
      'a reply that cannot be read differs from none',
      [{ ...ran, response: null }, keyedRequest('replayed', 5, 6)],
    ],
  ])('none where %s', ([, history]) => {
    expect(violationsOf(numbered(history))).toEqual([])
    expect(hasLinearization(numbered(history))).toBe(true)
  })
})

const outcomes: readonly RequestOutcome[] = [
  'ran',
  'begun',
  'replayed',
  'in-progress',
  'conflict',
  'uncertain',
  'refused',
  'lost',
]
const request = {
  message: fc.constantFrom('m', 'm', 'n'),
  mode: fc.constantFrom('', '', ' as stream'),
  from: fc.nat(7),
  length: fc.nat(4),
}
const answered = fc
  .record({ ...request, outcome: fc.constantFrom(...outcomes), response: fc.constantFrom('x', 'x', 'y') })
  .map(({ outcome, from, length, message, mode, response }) =>
    keyedRequest(outcome, from, from + length, { message, content: message + mode, response }),
  )

interface Sent {
  message: string
  mode: string
  from: number
  length: number
  travels: number
  turn: number
  fate: 'whole' | 'cut' | 'lost' | 'refused'
}

/** How a conforming server answers these requests; each reaches it some time after it was sent. */
function servedBy(requests: readonly Sent[]): KeyHistory {
  const arrivals = requests.map((one) => ({ ...one, at: one.from + one.travels }))
  let turn: { message: string; content: string; commit: number } | null = null
  const history: KeyedRequest[] = []
  for (const { message, mode, from, length, turn: takes, fate, at } of arrivals.toSorted(
    (a, b) => a.at - b.at,
  )) {
    const content = message + mode
    const answer = (what: RequestOutcome, to: number): void =>
      void history.push(keyedRequest(what, from, to, { message, content, response: 'x' }))
    const end = at + length
    if (fate === 'refused') answer('refused', end)
    else if (!turn) {
      turn = { message, content, commit: at + takes }
      answer(fate === 'whole' ? 'ran' : fate === 'cut' ? 'begun' : 'lost', turn.commit + length)
    } else if (fate !== 'whole') answer('lost', end)
    else if (at < turn.commit) answer('in-progress', end)
    else answer(content === turn.content ? 'replayed' : 'conflict', end)
  }
  return numbered(history)
}

const sent = fc.record<Sent>({
  ...request,
  travels: fc.nat(2),
  turn: fc.nat(6),
  fate: fc.constantFrom('whole', 'whole', 'whole', 'cut', 'lost', 'refused'),
})

describe('rules and a search of all orders', () => {
  test('agree that a violation has no explanation', () => {
    fc.assert(
      fc.property(fc.array(answered, { minLength: 2, maxLength: 5 }).map(numbered), (history) => {
        fc.pre(violationsOf(history).length > 0)
        expect(hasLinearization(history)).toBe(false)
      }),
      { numRuns: 6000 },
    )
  })

  test('accept the responses of a conforming server', () => {
    fc.assert(
      fc.property(fc.array(sent, { minLength: 1, maxLength: 6 }).map(servedBy), (history) => {
        expect(violationsOf(history)).toEqual([])
        expect(hasLinearization(history)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
