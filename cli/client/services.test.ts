import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../suites/wire/clock.ts'
import { createServices } from './services.ts'

const open = createServices({ clock: realClock(), onKey: () => {} })

describe('a service for one step', () => {
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

  test('meets a request by its path, whose target is a whole address', async () => {
    const on = { method: 'GET', path: '/api/v1/operations' }
    const opened = await open(
      { networkFaults: [{ on, do: { is: 'answer', status: 299, body: '' } }] },
      'seed',
    )
    expect(opened.isMet()).toBe(false)
    const { hostname, port } = new URL(opened.baseUrl)
    const asked = get({ hostname, port, path: `${opened.baseUrl}/api/v1/operations?a=//b` })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    const [one] = opened.seen({ scenario: 'client-a/b', name: 'step', firstId: 1 })
    expect([answer.statusCode, one?.request.path]).toEqual([299, '/api/v1/operations?a=//b'])
    expect(opened.isMet()).toBe(true)
    await opened.close()
  })

  test('is closed where it cannot be set up', async () => {
    await expect(open({ agent: 'plain', preparation: 'button' }, 'seed')).rejects.toThrow(
      'presented no button',
    )
    await expect(open({ agent: 'nobody' }, 'seed')).rejects.toThrow('no agent with the role nobody')
  })
})
