import { describe, expect, test } from 'vitest'
import { chatGaps } from '../spec/gaps/chat.ts'
import type { Interpretations } from '../spec/index.ts'
import { rulesOf } from './base-rules.ts'
import { buttonsOf, copied, createCaller, errorOf, type Caller, type Said } from './chat/caller.testkit.ts'
import { interpretationsOf } from './modification/apply.ts'
import type { ClientConnection } from './server/call.ts'
import type { JsonObject } from './json.ts'

type ChatGapId = keyof typeof chatGaps
/** What shows of a gap, as a text that differs between its interpretations. */
type Probe = (caller: Caller) => Promise<string>

const hello = { message: 'hello', idempotency_key: 'k' }
const brief = (said: Said): string =>
  `${said.status} ${said.headers['x-service-idempotent-replay'] ?? ''} ${errorOf(said)}`
const members = ({ body }: Said): string => JSON.stringify(body)

const withMessage =
  (message: string): Probe =>
  async ({ say }) =>
    brief(await say({ ...hello, message }))
const having =
  (more: JsonObject): Probe =>
  async ({ say }) =>
    brief(await say({ ...hello, ...more }))
/** The same key again, with something changed. */
const again =
  (change: Parameters<Caller['say']>[1], more: JsonObject = {}): Probe =>
  async ({ say }) => {
    await say(hello)
    return brief(await say({ ...hello, ...more }, change))
  }
const afterFailure =
  (agent: 'failing'): Probe =>
  async ({ say }) => {
    await say({ ...hello, stream: true }, { agent })
    return brief(await say({ ...hello, stream: true }, { agent }))
  }

const probes: Record<ChatGapId, Probe | null> = {
  'GAP-ERROR-CODE-MEMBER': async ({ say }) => members(await say({ message: 'hello' })),
  'GAP-CHARACTER-UNIT': withMessage('🙂'.repeat(10_000)),
  'GAP-IDENTICAL': again({}, { stream: true }),
  'GAP-SPELLING': again({ raw: '{"message": "hello","idempotency_key":"k"}' }),
  'GAP-KEY-SCOPE': async ({ say }) => {
    await say(hello)
    const otherKey = await say(hello, { as: 'second' })
    return `${brief(otherKey)} ${brief(await say(hello, { agent: 'second' }))}`
  },
  'GAP-IN-FLIGHT-OTHER': async ({ tenant, say }) => {
    const barrier = tenant.barriers.hold({ at: 'before-run' })
    void say(hello)
    await barrier.reached()
    return brief(await say({ ...hello, message: 'other' }))
  },
  'GAP-REFUSED-KEY': async ({ tenant, say }) => {
    tenant.setCredits('main', 0)
    await say(hello)
    tenant.setCredits('main', 1)
    return brief(await say(hello))
  },
  'GAP-CHECK-ORDER': async ({ say }) => brief(await say({ message: 7 }, { agent: 'foreign' })),
  'GAP-PAUSED-OR-STALE': async ({ tenant, say }) => {
    const [button = {}] = buttonsOf(await say(hello, { agent: 'workflow' }))
    const press = { message: 'go', interaction: copied(button) }
    await say({ ...press, idempotency_key: 'first' }, { agent: 'workflow' })
    tenant.pause('workflow')
    return brief(await say({ ...press, idempotency_key: 'second' }, { agent: 'workflow' }))
  },
  'GAP-RATE-COUNTED': async ({ say }) => {
    await say({ message: 7 })
    return String((await say(hello)).headers['x-ratelimit-remaining'])
  },
  'GAP-RATE-WINDOW': async ({ tenant, say }) => {
    await tenant.clock.advance(30_000)
    tenant.exhaustRate()
    await tenant.clock.advance(29_500)
    const bucket = (await say(hello)).status
    await tenant.clock.advance(600)
    return `${bucket} ${(await say({ ...hello, idempotency_key: 'l' })).headers['x-ratelimit-remaining']}`
  },
  'GAP-RATE-HEADERS': async ({ say }) => Object.keys((await say(hello)).headers).join(' '),
  'GAP-REPLAY-MODE': async ({ say }) => {
    await say(hello)
    return String((await say({ ...hello, stream: true })).events.length)
  },
  'GAP-REPLAY-TOKENS': async ({ say }) => {
    await say({ ...hello, stream: true })
    return (await say({ ...hello, stream: true })).events.map(({ type }) => type).join(' ')
  },
  'GAP-REPLAY-CREDITS': async ({ say }) => {
    await say(hello)
    return members(await say(hello))
  },
  'GAP-PAUSED-COST': async ({ say }) => members(await say(hello, { agent: 'paused' })),
  'GAP-CREDIT-COST': async ({ say }) => members(await say(hello)),
  'GAP-CREDIT-AMOUNTS': async ({ say }) => members(await say(hello, { as: 'broke' })),
  'GAP-UNKNOWN-CONVERSATION': having({ conversation_id: '00000000-0000-4000-8000-000000000000' }),
  'GAP-STREAM-TYPE': having({ stream: 'true' }),
  'GAP-UNKNOWN-MEMBER': having({ surprise: 1 }),
  'GAP-CONTENT-TYPE': async ({ say }) =>
    brief(await say(hello, { headers: [['Content-Type', 'text/plain']] })),
  'GAP-TWO-KEYS': async ({ say }) => {
    await say(hello)
    return brief(await say(hello, { headers: [['Idempotency-Key', 'other']] }))
  },
  'GAP-PRESENTATION-SHAPE': async ({ say }) =>
    Object.keys((await say(hello, { agent: 'workflow' })).body['presentation'] ?? {}).join(' '),
  'GAP-INTERACTION-TYPES': async ({ say }) =>
    buttonsOf(await say(hello, { agent: 'workflow' }))
      .map((button) => `${typeof button['runId']} ${typeof button['payload']}`)
      .join(),
  'GAP-FORGED': having({ interaction: { type: 'workflow_button', runId: 'a', nodeId: 'b', payload: 'c' } }),
  'GAP-CUSTOMER-MESSAGE': async ({ say }) =>
    JSON.stringify((await say(hello, { agent: 'paused' })).body['customer_message']).replace(
      /"id":"[^"]*"/,
      '',
    ),
  'GAP-FAILED-STREAM': afterFailure('failing'),
  'GAP-CLIENT-GONE': async ({ tenant, say }) => {
    const leave: (() => void)[] = []
    const presence: ClientConnection = { gone: false, watch: (listener) => void leave.push(listener) }
    const barrier = tenant.barriers.hold({ at: 'before-commit' })
    const left = say(hello, { client: presence })
    await barrier.reached()
    leave.forEach((listener) => listener())
    barrier.release()
    await left
    return `${brief(await say(hello))} ${tenant.credits('main')}`
  },
  'GAP-FOREIGN-AGENT': async ({ say }) => brief(await say(hello, { agent: 'foreign' })),
  'GAP-REFUSAL-CODES': async ({ say }) => brief(await say(hello, { as: 'noChat' })),
  // One interpretation only.
  'GAP-BODY-SIZE': null,
  'GAP-KEY-LIFE': null,
  'GAP-VALIDATION-WORDS': null,
}

describe('each interpretation shows', () => {
  const switchable = Object.entries(probes).filter(([, probe]) => probe !== null)
  test.for(switchable)('%s', async ([gap, probe]) => {
    const interpretations = Object.keys(chatGaps[gap as ChatGapId].interpretations)
    // By what was seen: two interpretations that look the same leave one entry.
    const seen = new Map<string, string>()
    for (const interpretation of interpretations) {
      const caller = createCaller({ interpretations: { [gap]: interpretation } })
      seen.set(String(await probe?.(caller)), interpretation)
    }
    expect([...seen.values()]).toEqual(interpretations)
  })
})

test('a gap without a probe has one interpretation only', () => {
  const without = Object.entries(probes).filter(([, probe]) => probe === null)
  for (const [gap] of without) expect(Object.keys(chatGaps[gap as ChatGapId].interpretations)).toHaveLength(1)
})

test('every rule has an entry, whatever the interpretations', () => {
  const names = Object.keys(rulesOf(interpretationsOf({}))).sort()
  for (const [gap, { interpretations }] of Object.entries(chatGaps))
    for (const interpretation of Object.keys(interpretations))
      expect(Object.keys(rulesOf(interpretationsOf({ [gap]: interpretation }))).sort()).toEqual(names)
})

test('an interpretation that does not exist is refused with those that do', () => {
  expect(() =>
    interpretationsOf({ 'GAP-IDENTICAL': 'maybe' } as unknown as Partial<Interpretations>),
  ).toThrow('replay, conflict')
  expect(() => interpretationsOf({ 'GAP-NONE': 'x' } as unknown as Partial<Interpretations>)).toThrow(
    'GAP-NONE',
  )
})

test('the same request is identical whichever way it carries its key, also where bytes count', async () => {
  const { say } = createCaller({ interpretations: { 'GAP-SPELLING': 'conflict' } })
  await say(hello)
  const inHeader = await say({ message: 'hello' }, { headers: [['X-Idempotency-Key', 'k']] })
  expect(brief(inHeader)).toBe('200 true ')
})
