import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heard, numbered } from '../../../assertions/heard.testkit.ts'
import { violationsOf, type Heard, type History, type Told, type ViolationName } from './history-rules.ts'
import { hasLinearization } from './linearization.testkit.ts'

const named = (history: History): readonly ViolationName[] => [
  ...new Set(violationsOf(numbered(history)).map(({ name }) => name)),
]

const ran = heard('ran', 0, 4)
const rival = { message: 'n', content: 'n' } as const

describe('a history is named for what nothing explains in it', () => {
  const cases: readonly (readonly [ViolationName, History])[] = [
    ['no-run', [heard('in-progress', 0, 1), heard('replayed', 2, 3)]],
    ['second-run', [ran, heard('ran', 1, 5)]],
    ['second-run', [ran, heard('begun', 1, 5)]],
    ['original-after-reply', [ran, heard('ran', 5, 6)]],
    ['original-after-reply', [heard('lost', 0, 1), heard('replayed', 2, 3), heard('ran', 5, 6)]],
    ['replay-before-run', [heard('replayed', 0, 1), heard('lost', 2, 3)]],
    ['rival-served', [ran, heard('ran', 1, 5, rival)]],
    ['rival-served', [ran, heard('replayed', 5, 6, rival)]],
    ['different-response', [ran, heard('replayed', 5, 6, { response: 'bye' })]],
    [
      'different-response',
      [heard('lost', 0, 1), heard('replayed', 2, 3), heard('replayed', 4, 5, { response: 'bye' })],
    ],
    ['different-conversation', [ran, heard('replayed', 5, 6, { conversation: 'd' })]],
    ['in-progress-after-reply', [ran, heard('in-progress', 5, 6)]],
    ['in-progress-after-reply', [ran, heard('replayed', 1, 2), heard('in-progress', 3, 4)]],
    ['in-progress-without-run', [heard('in-progress', 0, 1), heard('ran', 2, 3)]],
    ['conflict-without-rival', [ran, heard('conflict', 1, 2)]],
    ['conflict-without-rival', [ran, heard('conflict', 1, 2), heard('in-progress', 1, 2, rival)]],
    ['conflict-after-own-reply', [ran, heard('lost', 1, 2, rival), heard('conflict', 5, 6)]],
    ['uncertain-after-reply', [ran, heard('lost', 1, 2), heard('uncertain', 5, 6)]],
    ['uncertain-without-loss', [ran, heard('uncertain', 1, 2)]],
  ]

  test.for(cases)('%s: %#', ([name, history]) => {
    expect(named(history)).toContain(name)
    expect(hasLinearization(numbered(history))).toBe(false)
  })

  test.for<readonly [string, History]>([
    ['nothing was sent', []],
    [
      'one runs and the others wait or are replayed',
      [ran, heard('in-progress', 1, 2), heard('replayed', 3, 5)],
    ],
    ['a replay came before the answer of the turn had ended', [ran, heard('replayed', 1, 2)]],
    [
      'who ran it was never answered',
      [heard('lost', 0, 1), heard('in-progress', 2, 3), heard('replayed', 4, 5)],
    ],
    ['the lost one arrived after the other', [heard('lost', 0, 1), heard('ran', 2, 3)]],
    ['a refusal held the key until then', [heard('refused', 0, 3), heard('in-progress', 1, 2)]],
    [
      'the other message waits, or is a conflict',
      [ran, heard('in-progress', 1, 2, rival), heard('conflict', 1, 9, rival)],
    ],
    [
      'the same message in another mode is a conflict',
      [ran, heard('conflict', 5, 6, { content: 'm as stream' })],
    ],
    [
      'the same message with its key elsewhere is a conflict',
      [ran, heard('conflict', 5, 6, { carrier: 'idempotency-key' })],
    ],
    [
      'the same message with its key elsewhere is a conflict at once',
      [heard('ran', 0, 4), heard('conflict', 1, 2, { carrier: 'idempotency-key' })],
    ],
    ['a turn whose client went away is uncertain', [heard('begun', 0, 1), heard('uncertain', 2, 3)]],
    [
      'what was uncertain was reconciled',
      [heard('begun', 0, 1), heard('uncertain', 2, 3), heard('replayed', 4, 5)],
    ],
    ['a reply that cannot be read differs from none', [{ ...ran, response: null }, heard('replayed', 5, 6)]],
  ])('none where %s', ([, history]) => {
    expect(violationsOf(numbered(history))).toEqual([])
    expect(hasLinearization(numbered(history))).toBe(true)
  })
})

const told: readonly Told[] = [
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
  .record({ ...request, told: fc.constantFrom(...told), response: fc.constantFrom('x', 'x', 'y') })
  .map(({ told: what, from, length, message, mode, response }) =>
    heard(what, from, from + length, { message, content: message + mode, response }),
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

/** What a server that keeps the contract tells these requests, each of which it sees somewhere in its time. */
function servedBy(requests: readonly Sent[]): History {
  const arrivals = requests.map((one) => ({ ...one, at: one.from + one.travels }))
  let turn: { message: string; content: string; commit: number } | null = null
  const history: Heard[] = []
  for (const { message, mode, from, length, turn: takes, fate, at } of arrivals.toSorted(
    (a, b) => a.at - b.at,
  )) {
    const content = message + mode
    const tell = (what: Told, to: number): void =>
      void history.push(heard(what, from, to, { message, content, response: 'x' }))
    const end = at + length
    if (fate === 'refused') tell('refused', end)
    else if (!turn) {
      turn = { message, content, commit: at + takes }
      tell(fate === 'whole' ? 'ran' : fate === 'cut' ? 'begun' : 'lost', turn.commit + length)
    } else if (fate !== 'whole') tell('lost', end)
    else if (at < turn.commit) tell('in-progress', end)
    else tell(content === turn.content ? 'replayed' : 'conflict', end)
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

  test('find nothing in what a server that keeps the contract says', () => {
    fc.assert(
      fc.property(fc.array(sent, { minLength: 1, maxLength: 6 }).map(servedBy), (history) => {
        expect(violationsOf(history)).toEqual([])
        expect(hasLinearization(history)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
