import { describe, expect, test } from 'vitest'
import type { ClientService, ServiceSetup } from '../../suites/clients/execution/service.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { createServices } from './services.ts'

const keys: string[] = []
const open = createServices({ clock: realClock(), onKey: (key) => keys.push(key) })

async function turn({ baseUrl, apiKey, agent, prepared: given }: ClientService): Promise<Response> {
  const { conversationId, interaction, idempotencyKey = 'key-of-the-client' } = given
  return fetch(`${baseUrl}/api/v1/chat/${agent}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ message: 'Hello', conversation_id: conversationId, interaction }),
  })
}

async function met(setup: ServiceSetup) {
  const opened = await open(setup, 'seed')
  try {
    const answer = await turn(opened)
    const body = await answer.text()
    const seen = opened.seen({ scenario: 'client-a/b', name: 'step', firstId: 5 })
    return { status: answer.status, body, seen, opened }
  } finally {
    await opened.close()
  }
}

describe('a service for one step', () => {
  test.for<[string, ServiceSetup, number, string]>([
    ['answers', {}, 200, 'You said: Hello'],
    ['replies as the scenario has it', { replies: [{ match: {}, reply: { text: 'No.' } }] }, 200, 'No.'],
    ['has a fault', { faults: ['reply-as-text-plain'] }, 200, 'You said: Hello'],
    ['goes on with a conversation', { preparation: 'conversation' }, 200, 'You said: Hello'],
    ['takes a button', { agent: 'workflow', preparation: 'button' }, 200, 'Good choice'],
    [
      'has shown newer buttons',
      { agent: 'workflow', preparation: 'stale-button' },
      409,
      'WORKFLOW_INTERACTION_STALE',
    ],
    ['is paused', { preparation: 'paused' }, 200, 'customer_message'],
    ['has no credits left', { preparation: 'no-credits' }, 402, ''],
    ['does not know how a turn ended', { preparation: 'uncertain-key' }, 409, 'OUTCOME_UNCERTAIN'],
    ['revokes the key', { apiKey: 'revoked' }, 401, ''],
    [
      'has network faults',
      { networkFaults: [{ do: { is: 'answer', status: 503, body: 'later' } }] },
      503,
      'later',
    ],
  ])('%s', async ([, setup, status, said]) => {
    const { seen, opened, ...answer } = await met(setup)
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(said)])
    // What somebody else did before is not the client's.
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ id: 5, scenario: 'client-a/b', name: 'step', response: { status } })
    expect(seen[0]?.request.headers).toContainEqual(['authorization', `Bearer ${opened.apiKey}`])
    expect(keys.at(-1)).toBe(opened.apiKey)
  })

  test('has the keys and ids of its seed, and a port of its own', async () => {
    const [one, two, other] = await Promise.all([open({}, 'a'), open({}, 'a'), open({}, 'b')])
    expect([two.apiKey, two.agent]).toEqual([one.apiKey, one.agent])
    expect(other.apiKey).not.toBe(one.apiKey)
    expect(two.baseUrl).not.toBe(one.baseUrl)
    await Promise.all([one, two, other].map((opened) => opened.close()))
  })

  test('reports a response that was in flight, and a client that disconnected', async () => {
    const opened = await open({ networkFaults: [{ do: { is: 'wait', ms: 60_000 } }] }, 'seed')
    const leaving = new AbortController()
    const came = opened.nextRequest(new AbortController().signal)
    const { baseUrl, agent, apiKey } = opened
    const sent = fetch(`${baseUrl}/api/v1/chat/${agent}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: '{"message":"Hello"}',
      signal: leaving.signal,
    })
    const seen = () => opened.seen({ scenario: 'client-a/b', name: 'step', firstId: 1 })
    await expect.poll(() => seen()[0]?.failure?.message).toBe('the step ended before the response')
    leaving.abort()
    await expect(sent).rejects.toThrow('aborted')
    await came
    expect(seen()[0]?.failure?.message).toBe(
      'the client closed the connection before the end of the response',
    )
    await opened.close()
  })

  test('is closed where it cannot be set up', async () => {
    await expect(open({ agent: 'plain', preparation: 'button' }, 'seed')).rejects.toThrow(
      'presented no button',
    )
    await expect(open({ agent: 'nobody' }, 'seed')).rejects.toThrow('no agent with the role nobody')
  })
})
