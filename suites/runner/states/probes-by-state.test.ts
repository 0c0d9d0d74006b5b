import { expect, test } from 'vitest'
import { states, type StateId } from '../../../spec/index.ts'
import { done, frames, jsonAnswer, reply, streamAnswer, token } from '../../assertions/exchange.testkit.ts'
import type { Provide } from '../../config/provided.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mismatchOf } from './state-mismatch.ts'
import { stateProbes } from './probes-by-state.ts'

const ordinary = jsonAnswer(reply)
const refusal = (status: number) => jsonAnswer({ error: 'no' }, { status })
const streamed = (...events: readonly object[]) => streamAnswer(frames(token('a'), ...events))
const plainStream = streamed(done)
const cut = jsonAnswer({}, { failure: 'reset' })

/** States that show in deliveries, lists and receipts alone, which are for the clauses. */
type Unseen =
  | `${'event' | 'no-event' | 'webhook' | 'approval' | 'task' | 'operation'}.${string}`
  | 'plan.without-webhooks'
type Seen = Exclude<StateId, Unseen>

const isSeen = (state: StateId): state is Seen =>
  !/^(?:event|no-event|webhook|approval|task|operation)\.|^plan\.without-webhooks$/.test(state)
const all = Object.keys(states) as StateId[]

/** What is believed although a clause may be broken, and what is not. */
const cases: Readonly<Record<Seen, { believed: readonly Exchange[][]; refuted: readonly Exchange[][] }>> = {
  'chat.paused': {
    believed: [
      [jsonAnswer({ ...reply, response: '' })],
      [jsonAnswer({ ...reply, customer_message: { ai_reply: 'paused' } })],
      [refusal(409)],
    ],
    refuted: [[ordinary], [jsonAnswer({ ...reply, customer_message: { ai_reply: 'sent' } })]],
  },
  'turn.slow': {
    believed: [[jsonAnswer(reply, { lingers: 100 })], [cut], [ordinary, jsonAnswer(reply, { lingers: 300 })]],
    refuted: [[ordinary, jsonAnswer(reply, { lingers: 50 })]],
  },
  'key.uncertain': {
    believed: [[refusal(409), ordinary], [refusal(500)]],
    refuted: [[ordinary, ordinary]],
  },
  'workflow.current': {
    believed: [[jsonAnswer({ ...reply, presentation: 'text' })], [plainStream], [refusal(500)]],
    refuted: [[ordinary], [jsonAnswer({ ...reply, presentation: null })]],
  },
  'credits.exhausted': {
    believed: [[refusal(402)], [refusal(403)], [jsonAnswer({ ...reply, credits_remaining: 0 })]],
    refuted: [[ordinary]],
  },
  'rate.limited': { believed: [[refusal(429), ordinary]], refuted: [[ordinary]] },
  'server.500': { believed: [[refusal(502)], [refusal(400)], [cut]], refuted: [[ordinary], [refusal(404)]] },
  'server.503': { believed: [[refusal(500), ordinary]], refuted: [[ordinary]] },
  'stream.tool': {
    believed: [[streamed({ type: 'tool_use' }, done)], [refusal(500)], [ordinary]],
    refuted: [[plainStream]],
  },
  'stream.gate': { believed: [[streamed({ type: 'gate' }, done)]], refuted: [[plainStream]] },
  'stream.error': { believed: [[streamed({ type: 'error' })], [streamed()]], refuted: [[plainStream]] },
  'plan.disallows': { believed: [[refusal(404)], [ordinary, refusal(403)]], refuted: [[ordinary]] },
}

test('an event, and what becomes of a webhook, is believed whatever was sent', () => {
  const unseen = all.filter((state) => !isSeen(state))
  expect(unseen.length).toBeGreaterThan(18)
  expect(unseen.filter((state) => stateProbes[state].contradicts([ordinary, refusal(500)]) !== null)).toEqual(
    [],
  )
})

test.for(all.filter(isSeen))('a probe of %s asks for less than a clause does', (state) => {
  const { believed, refuted } = cases[state]
  const { contradicts } = stateProbes[state]
  expect(contradicts([])).toBe(null)
  for (const held of believed) expect(contradicts(held)).toBe(null)
  for (const held of refuted) expect(contradicts(held)).toEqual(expect.any(String))
})

const speakers: readonly (readonly [Provide, StateId, string | null, boolean?])[] = [
  ['wire', 'turn.slow', null],
  [
    'control',
    'plan.disallows',
    'the provider of plan.disallows (control) says that it holds, but every request was answered 200',
    true,
  ],
  [
    'control',
    'credits.exhausted',
    'the provider of credits.exhausted (control) says that it holds, but a turn ran and 41 credits are left',
    false,
  ],
  [
    'exec',
    'plan.disallows',
    'the provider of plan.disallows (exec) says that it holds, but every request was answered 200; fix that, or the target if it is in that state all the same',
    false,
  ],
  [
    'fixture',
    'chat.paused',
    'the target file declares chat.paused by a fixture, but a plain message got a reply that is not marked as paused',
    false,
  ],
]

const nowhere = { ...refusal(404), request: { ...ordinary.request, path: '/api/v1/chat/agent-1' } }

test.for<readonly [Provide, boolean]>([
  ['fixture', true],
  ['control', false],
])('a 404 to every turn in a state by %s contradicts it: %s', ([by, expected]) => {
  for (const state of ['credits.exhausted', 'plan.disallows', 'chat.paused'] as const) {
    expect(mismatchOf(state, by, [nowhere])?.because.includes('404') ?? false).toBe(expected)
    expect(mismatchOf(state, by, [nowhere, { ...nowhere, ...refusal(402) }])).toBe(null)
  }
})

test.for(speakers)('%s saying that %s holds is contradicted in words', ([by, state, because, believed]) => {
  const expected = because === null ? null : { because, believed, exchanges: [ordinary.id] }
  expect(mismatchOf(state, by, [ordinary])).toEqual(expected)
})
