import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../spec/index.ts'
import { dial, hear } from '../server/socket.testkit.ts'
import { createFellows, textAt, type Fellow, type Fellows, type Said } from './replicas.testkit.ts'

let fellows: Fellows
/** The first one runs the tenant; the other passes on what it gets. */
let owner: Fellow
let other: Fellow

beforeEach(async () => {
  fellows = createFellows()
  owner = await fellows.join()
  other = await fellows.join()
})
afterEach(() => fellows[Symbol.asyncDispose]())

const isReplay = ({ headers }: Said): boolean => headers.get('x-service-idempotent-replay') === 'true'

async function credits(fellow: Fellow): Promise<unknown> {
  const { body } = await fellow.control('GET', '')
  return body['accounts']
}

test('a key that comes to both at once runs once', async () => {
  const servers = [owner, other, other, owner, other, owner]
  const answers = await Promise.all(servers.map((fellow) => fellow.chat({ key: 'once' })))
  const ran = answers.filter((answer) => answer.status === 200 && !isReplay(answer))
  expect(ran).toHaveLength(1)
  expect(isReplay(await other.chat({ key: 'once' }))).toBe(true)
  expect((await other.chat({ key: 'once', message: 'Other' })).status).toBe(409)
  expect(await credits(owner)).toContainEqual(expect.objectContaining({ credits: 999_999 }))
})

type Step = (fellow: Fellow) => Promise<unknown>

const control =
  (method: string, path: (fellow: Fellow) => string, body?: Parameters<Fellow['control']>[2]): Step =>
  (fellow) =>
    fellow.control(method, path(fellow), body)
const agentPath = ({ simulator }: Fellow): string => `/agents/${simulator.names.agents.plain}`
const chatted: Step = async (fellow) => {
  const { status, body } = await fellow.chat()
  return { status, ...body }
}

const seen: readonly [what: string, change: Step, look: Step, expected: unknown][] = [
  [
    'a pause',
    control('PATCH', agentPath, { paused: true }),
    chatted,
    expect.objectContaining({ customer_message: expect.anything() }),
  ],
  [
    'a reply rule',
    control('PUT', () => '/reply-rules', { replyRules: [{ match: {}, reply: { text: 'By rule.' } }] }),
    chatted,
    expect.objectContaining({ response: 'By rule.' }),
  ],
  [
    'a fault',
    control('PATCH', () => '', { faults: ['replay-unmarked'] }),
    (fellow) => fellow.control('GET', '').then(({ body }) => body['faults']),
    ['replay-unmarked'],
  ],
  [
    'a clock that is moved',
    control('PUT', () => '/clock', { mode: 'frozen', at: '2030-01-01T00:00:00.000Z' }),
    (fellow) => fellow.control('GET', '/clock').then(({ body }) => body['now']),
    '2030-01-01T00:00:00.000Z',
  ],
]

test.for(seen)('%s that is asked of one shows at the other', async ([, change, look, expected]) => {
  await change(other)
  expect(await look(owner)).toEqual(expected)
  expect(await look(other)).toEqual(expected)
})

test('replicas share one rate limit', async () => {
  const servers = Array.from({ length: limits.chatRequestsPerMinute + 4 }, (_, i) => (i % 2 ? owner : other))
  const answers = await Promise.all(servers.map((fellow) => fellow.chat()))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
})

test('a stream comes through the other replica token by token', async () => {
  const barrier = await other.control('POST', '/barriers', { point: 'after-token', n: 2 })
  const response = await other.open({ message: 'one two three', stream: true })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (end: string): Promise<void> => {
    while (!text.includes(end)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) return
      text += value
    }
  }
  await readUntil('said: ')
  expect(text).not.toContain('one')
  await other.control('POST', `/barriers/${textAt(barrier, 'id')}/release`)
  await readUntil('"done"')
  expect(text).toContain('three')
})

test('what breaks off at its tenant breaks off at the other replica', async () => {
  const barrier = await owner.control('POST', '/barriers', { point: 'before-commit' })
  const answer = other.chat({ key: 'crashed' }).then(
    ({ status }) => status,
    () => 'dropped',
  )
  const path = `/barriers/${textAt(barrier, 'id')}`
  expect((await other.control('GET', `${path}/reached`)).body['timedOut']).toBe(false)
  await other.control('POST', `${path}/crash`)
  expect(await answer).toBe('dropped')
  expect((await other.chat({ key: 'crashed' })).status).toBe(409)
})

test('a client that leaves the other replica has left its tenant', async () => {
  await owner.control('POST', '/barriers', { point: 'before-run' })
  const leaving = new AbortController()
  const answer = other.open({ signal: leaving.signal }).catch(() => 'gone')
  await owner.simulator.tenant.barriers.list()[0]?.reached()
  leaving.abort()
  expect(await answer).toBe('gone')
  const [entry] = await owner.simulator.tenant.journal.waitFor({})
  expect(entry?.closedBy).toBe('client')
})

test('the tenant sees a request as its client sent it, and the client the answer as the tenant gave it', async () => {
  const { keys } = owner.simulator.names
  const socket = dial(other.simulator)
  const received = hear(socket)
  const lines = [
    'POST /api/v1/chat/nobody?a=%20b HTTP/1.1',
    'hOST: chat.example',
    `Authorization: Bearer ${keys.main}`,
    'X-Twice: 1',
    'X-twice: 2',
    'Connection: close, X-Hop',
    'X-Hop: 1',
    'Transfer-Encoding: chunked',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n3\r\n\x00\x01{\r\n0\r\n\r\n`)
  const { status, text } = await received
  const [entry] = owner.simulator.tenant.journal.entries()
  expect(entry?.path).toBe('/api/v1/chat/nobody?a=%20b')
  expect([...(entry?.body ?? [])]).toEqual([0, 1, 0x7b])
  const names = entry?.headers.map(([name]) => name)
  expect(names?.slice(0, 4)).toEqual(['hOST', 'Authorization', 'X-Twice', 'X-twice'])
  expect(names).not.toContain('X-Hop')
  expect(names?.map((name) => name.toLowerCase())).not.toContain('x-touchstone-hop')
  expect(status).toBe(entry?.status)
  for (const [name, value] of entry?.responseHeaders ?? [])
    expect(text).toContain(`\r\n${name}: ${value}\r\n`)
  expect(text.match(/\r\ndate: /gi)).toHaveLength(1)
})

test.for([2 ** 20, 2 ** 20 + 100])(
  'a body of %i bytes and its envelope is too large at either',
  async (size) => {
    const bodies = [owner, other].map(async (fellow) => {
      const { status, text } = await fellow.chat({ message: 'x'.repeat(size) })
      return { status, text }
    })
    const [here, there] = await Promise.all(bodies)
    expect(here?.status).toBe(400)
    expect(there).toEqual(here)
  },
)

test('whoever pretends to be a replica gets nothing that others do not', async () => {
  const hop = { 'X-Touchstone-Hop': 'forged' }
  const ask = (fellow: Fellow): Promise<Response> =>
    fetch(`${fellow.simulator.url}/api/v1/chat/nobody`, { method: 'POST', headers: hop })
  expect((await ask(owner)).status).toBe(401)
  expect((await ask(other)).status).toBe(421)
  const [entry] = owner.simulator.tenant.journal.entries()
  expect(entry?.headers.map(([name]) => name.toLowerCase())).not.toContain('x-touchstone-hop')
})

test('tenants made at one are known to the other, and their seeds are theirs alone', async () => {
  const one = await owner.control('POST', '/_sim/v1/tenants', {})
  const two = await other.control('POST', '/_sim/v1/tenants', {})
  expect(textAt(one, 'id')).not.toBe(textAt(two, 'id'))
  const path = textAt(two, 'control')
  expect((await owner.control('GET', path)).status).toBe(200)
  const { seed } = owner.simulator.names
  expect((await other.control('POST', '/_sim/v1/tenants', { seed })).status).toBe(409)
  expect((await owner.control('DELETE', path)).status).toBe(200)
  expect((await other.control('GET', path)).status).toBe(404)
})

test('the key of a tenant that one deleted at the other is known to neither', async () => {
  const { body } = await other.control('POST', '/_sim/v1/tenants', {})
  const { control, keys, agents } = body as {
    control: string
    keys: { main: string }
    agents: { plain: string }
  }
  const ask = async ({ simulator }: Fellow): Promise<number> => {
    const headers = { authorization: `Bearer ${keys.main}`, 'idempotency-key': 'any' }
    const turn = { method: 'POST', headers, body: JSON.stringify({ message: 'Hello' }) }
    return (await fetch(`${simulator.url}/api/v1/chat/${agents.plain}`, turn)).status
  }
  expect([await ask(owner), await ask(other)]).toEqual([200, 200])
  expect((await owner.control('DELETE', control)).status).toBe(200)
  expect([await ask(owner), await ask(other)]).toEqual([401, 401])
})
