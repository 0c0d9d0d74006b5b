import { expect, it } from 'vitest'
import type { Heard, HeardEvent } from './heard.ts'
import { told } from './turn.ts'

const event = (at: number, type: string, members: object = {}): HeardEvent => ({
  at,
  type,
  members: { type, ...members },
})
const streamed = (...events: readonly HeardEvent[]): Heard => ({
  events,
  reply: { response: 'ab' },
  error: undefined,
  streamed: true,
})
const [a, b] = [event(130, 'token', { token: 'a' }), event(150, 'token', { token: 'b' })]
const start = event(100, 'action_start', { actionName: 'look_up' })

it('keeps how long it took to the first token and between tokens, on request', () => {
  expect(told(streamed(a, b), 100).reply).toEqual({ tokens: ['a', 'b'], delayMs: 10, tokenDelayMs: 20 })
  expect(told(streamed(a, b), null).reply).toEqual({ tokens: ['a', 'b'] })
})

it('keeps the text beside tokens that are not all of it', () => {
  expect(told(streamed(a), null).reply).toEqual({ text: 'ab', tokens: ['a'] })
})

it.each<[what: string, heard: Heard, notes: readonly string[]]>([
  [
    'an action that did not complete',
    streamed(start, a),
    ['The action look_up started and did not complete; here it completes.'],
  ],
  [
    'a tool between tokens',
    streamed(a, start, event(140, 'action_complete', { actionName: 'look_up', success: true }), b),
    ['Tools or gates came between tokens or after them; here they come before.'],
  ],
  [
    'two gates',
    streamed(
      event(100, 'gate_triggered', { decision: 'x', reason: 'y' }),
      event(101, 'gate_triggered', { decision: 'z', reason: 'y' }),
    ),
    ['2 gates were triggered; only the first one stands here.'],
  ],
])('says that a reply rule cannot tell of %s', (_, heard, notes) => {
  expect(told(heard, null).notes).toEqual(notes)
})

it('pairs each action with its own end', () => {
  const end = (success: boolean) => event(101, 'action_complete', { actionName: 'look_up', success })
  const { reply } = told(streamed(start, end(false), start, end(true), a, b), null)

  expect(reply.actions).toEqual([{ actionName: 'look_up', success: false }, { actionName: 'look_up' }])
})
