import { expect, it } from 'vitest'
import type { TurnResponse, TurnEvent } from './turn-response.ts'
import { cannedReply } from './canned-reply.ts'

const event = (at: number, type: string, members: object = {}): TurnEvent => ({
  at,
  type,
  members: { type, ...members },
})
const streamed = (...events: readonly TurnEvent[]): TurnResponse => ({
  events,
  reply: { response: 'ab' },
  error: undefined,
  streamed: true,
})
const [a, b] = [event(130, 'token', { token: 'a' }), event(150, 'token', { token: 'b' })]
const start = event(100, 'action_start', { actionName: 'look_up' })

it('records the delays before the first token and between tokens on request', () => {
  expect(cannedReply(streamed(a, b), 100).reply).toEqual({
    tokens: ['a', 'b'],
    delayMs: 10,
    tokenDelayMs: 20,
  })
  expect(cannedReply(streamed(a, b), null).reply).toEqual({ tokens: ['a', 'b'] })
})

it('records the text if the tokens are not all of it', () => {
  expect(cannedReply(streamed(a), null).reply).toEqual({ text: 'ab', tokens: ['a'] })
})

it.each<[what: string, turn: TurnResponse, notes: readonly string[]]>([
  [
    'an action that did not complete',
    streamed(start, a),
    ['The action look_up started without completing; the rule completes it.'],
  ],
  [
    'a tool between tokens',
    streamed(a, start, event(140, 'action_complete', { actionName: 'look_up', success: true }), b),
    ['Actions or gates came after the first token; the rule sends them before.'],
  ],
  [
    'two gates',
    streamed(
      event(100, 'gate_triggered', { decision: 'x', reason: 'y' }),
      event(101, 'gate_triggered', { decision: 'z', reason: 'y' }),
    ),
    ['2 gates were triggered; the rule has only the first.'],
  ],
])('notes that a reply rule cannot express %s', (_, turn, notes) => {
  expect(cannedReply(turn, null).notes).toEqual(notes)
})

it('matches each action with its completion', () => {
  const end = (success: boolean) => event(101, 'action_complete', { actionName: 'look_up', success })
  const { reply } = cannedReply(streamed(start, end(false), start, end(true), a, b), null)

  expect(reply.actions).toEqual([{ actionName: 'look_up', success: false }, { actionName: 'look_up' }])
})
