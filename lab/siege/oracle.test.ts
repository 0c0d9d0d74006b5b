import { expect, test } from 'vitest'
import { createOracle, replyTo, turnResult, type Entry, type Oracle, type Seen } from './oracle.ts'

const away: Seen = { is: 'away', words: 'closed' }

/** An answer to a turn. */
function reply(entry: Entry, { conversation = 'c-1', replayed = false } = {}): Seen {
  return { is: 'result', result: turnResult(conversation, replyTo(entry)), used: 1_500, replayed }
}

function deliver(oracle: Oracle, entry: Entry, id = 'd-1', conversation = 'c-1'): void {
  oracle.arrived({ id, signed: true, conversation, text: replyTo(entry) })
}

test.for<
  readonly [
    what: string,
    act: (oracle: Oracle, turn: Entry) => void,
    lost: number,
    violations: readonly RegExp[],
  ]
>([
  [
    'a turn, its replay and its deliveries',
    (oracle, turn) => {
      oracle.note(turn, reply(turn), false, false)
      oracle.note(turn, reply(turn, { replayed: true }), true, false)
      deliver(oracle, turn)
      deliver(oracle, turn)
    },
    1.5,
    [],
  ],
  [
    'a turn whose answer was lost in a declared fault, and that is uncertain since',
    (oracle, turn) => {
      oracle.note(turn, away, false, true)
      oracle.note(turn, { is: 'in-progress' }, false, true)
      oracle.note(turn, { is: 'uncertain' }, false, false)
    },
    0,
    [],
  ],
  [
    'a replay in another conversation',
    (oracle, turn) => {
      oracle.note(turn, reply(turn), false, false)
      oracle.note(turn, reply(turn, { conversation: 'c-2', replayed: true }), true, false)
      deliver(oracle, turn)
    },
    1.5,
    [/was answered "c-2.*after "c-1/],
  ],
  [
    'a replay that is not marked, and charged',
    (oracle, turn) => {
      oracle.note(turn, reply(turn), false, false)
      oracle.note(turn, reply(turn), true, false)
      deliver(oracle, turn)
    },
    3,
    [/not marked/, /lost 3 credits, its turns used 1.5/],
  ],
  [
    'a completed turn that is forgotten',
    (oracle, turn) => {
      oracle.note(turn, reply(turn), false, false)
      deliver(oracle, turn)
      oracle.note(turn, { is: 'uncertain' }, true, true)
    },
    1.5,
    [/completed run is uncertain/, /was delivered, and is uncertain/],
  ],
  [
    'an answer that does not come',
    (oracle, turn) => oracle.note(turn, away, false, false),
    0,
    [/outside of/],
  ],
  [
    'progress of what nobody sent',
    (oracle, turn) => oracle.note(turn, { is: 'in-progress' }, false, false),
    0,
    [/in progress/],
  ],
  [
    'a lost delivery',
    (oracle, turn) => oracle.note(turn, reply(turn), false, false),
    1.5,
    [/no delivery arrived/],
  ],
  [
    'two deliveries of one turn',
    (oracle, turn) => {
      oracle.note(turn, reply(turn), false, false)
      deliver(oracle, turn, 'd-1')
      deliver(oracle, turn, 'd-2')
    },
    1.5,
    [/delivered as d-1 and as d-2/],
  ],
  [
    'a delivery of a turn that never ran, for another conversation, and with a wrong signature',
    (oracle, turn) => {
      oracle.arrived({ id: 'd-1', signed: true, conversation: 'c-1', text: 'nothing' })
      oracle.note(turn, reply(turn), false, false)
      deliver(oracle, turn, 'd-2', 'c-2')
      oracle.arrived({ id: 'd-3', signed: false, conversation: 'c-1', text: replyTo(turn) })
    },
    1.5,
    [/of no turn/, /was delivered for c-2/, /wrong signature/],
  ],
])('the oracle judges %s', ([, act, lost, expected]) => {
  const oracle = createOracle('test')
  act(oracle, oracle.fresh('turn'))
  oracle.audit(lost)
  expect(oracle.violations).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string))
})
