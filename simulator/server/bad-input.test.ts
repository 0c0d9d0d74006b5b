import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../index.ts'
import { chatBytes, dial, exchange, hear, type RawRequest } from '../testing/socket.testkit.ts'

let simulator: Simulator
const log: string[] = []

beforeAll(async () => {
  simulator = await createSimulator({
    limits: { requestMs: 300 },
    unlimited: true,
    log: (line) => void log.push(line),
  })
})
afterAll(() => simulator.close())

let keys = 0
const valid = (more: Record<string, unknown> = {}) => ({
  body: JSON.stringify({ message: 'hello', idempotency_key: `k${++keys}`, ...more }),
})
const raw = (body: string | Buffer) => () => ({ body })
const lines = (...headers: string[]): RawRequest => ({ headers, body: JSON.stringify({ message: 'hello' }) })

describe('is refused with a flat JSON error:', () => {
  const cases: readonly [name: string, status: number, () => RawRequest][] = [
    ['JSON that breaks off', 400, raw('{"message":"hel')],
    ['JSON that is no object', 400, raw('["hello"]')],
    ['JSON null', 400, raw('null')],
    ['nothing at all', 400, raw('')],
    ['very deep JSON', 400, () => ({ body: '['.repeat(200_000) })],
    ['bytes that are not UTF-8', 400, raw(Buffer.from('{"message":"\xff","idempotency_key":"k"}', 'latin1'))],
    ['half a surrogate pair in the message', 400, raw('{"message":"\\ud800","idempotency_key":"k"}')],
    ['half a surrogate pair in the key', 400, raw('{"message":"m","idempotency_key":"\\udc00"}')],
    ['a message that is a number', 400, () => valid({ message: 1 })],
    ['a message of spaces and one too many', 400, () => valid({ message: ' '.repeat(10_001) })],
    ['a conversation that is no uuid', 400, () => valid({ conversation_id: '../../etc' })],
    ['an interaction that is a list', 400, () => valid({ interaction: [] })],
    ['no key', 400, () => lines()],
    ['an empty key in a header', 400, () => lines('Idempotency-Key:')],
    ['two different keys on two lines', 400, () => lines('Idempotency-Key: a', 'Idempotency-Key: b')],
    ['no credentials', 401, () => lines('Authorization:')],
    ['another scheme', 401, () => lines('Authorization: Basic c2stYTpi')],
    ['two Authorization lines', 401, () => lines('Authorization: Bearer sk-a', 'Authorization: Bearer sk-b')],
    ['a body that is announced too large', 400, () => ({ body: '{}', length: 1024 * 1024 + 1 })],
    ['a body that is too large', 400, () => ({ body: 'x'.repeat(1024 * 1024 + 1) })],
    ['headers that are too large', 400, () => lines(`X-Long: ${'x'.repeat(20_000)}`)],
    ['a header that is not one', 400, () => lines('no colon here')],
  ]
  test.for(cases)('%s', async ([, status, request]) => {
    const received = await exchange(simulator, request())
    expect(received).toMatchObject({ status })
    expect(received.text).toMatch(/content-type: application\/json/i)
    expect(JSON.parse(received.body)).toMatchObject({ error: expect.stringMatching(/./) as string })
  })
})

test('a body too large is refused in its turn: after the key, and with the rate of the key', async () => {
  const large = { body: '{}', length: 1024 * 1024 + 1 }
  expect((await exchange(simulator, large)).text).toMatch(/x-ratelimit-remaining: \d/i)
  const nobody = await exchange(simulator, { ...large, headers: ['Authorization: Bearer sk-unknown'] })
  expect(nobody).toMatchObject({ status: 401 })
  expect(nobody.text).toMatch(/connection: close/i)
  const answer = await fetch(`${simulator.url}/_sim/v1/tenants`, {
    method: 'POST',
    body: 'x'.repeat(2 ** 20 + 1),
  })
  expect(answer.status).toBe(400)
})

describe('is accepted:', () => {
  const cases: readonly [name: string, () => RawRequest][] = [
    ['the same key on two lines', () => lines('Idempotency-Key: same', 'X-Idempotency-Key: same')],
    ['a member called __proto__', raw('{"message":"m","idempotency_key":"p","__proto__":{"stream":true}}')],
    ['NUL and line separators in the message', () => valid({ message: '\u0000\u2028\r\n' })],
  ]
  test.for(cases)('%s', async ([, request]) => {
    expect(await exchange(simulator, request())).toMatchObject({ status: 200 })
  })
})

test('a key in UTF-8 is the same key in a header and in the body', async () => {
  await exchange(simulator, lines(`Idempotency-Key: ${Buffer.from('clé').toString('latin1')}`))
  const again = await exchange(simulator, {
    body: JSON.stringify({ message: 'hello', idempotency_key: 'clé' }),
  })
  expect(again.text).toContain('X-Service-Idempotent-Replay: true')
})

test.for([
  ['bytes that are no request', 'hello\r\n\r\n'],
  ['headers that never end', 'POST /api/v1/chat/x HTTP/1.1\r\nHost: simulator\r\n'],
])('%s are answered 400 and the connection is closed', async ([, bytes]) => {
  const socket = dial(simulator)
  const received = hear(socket)
  socket.write(bytes ?? '')
  expect(await received).toMatchObject({ status: 400 })
})

test('an upload that stops is closed, and its key is still free', async () => {
  const body = JSON.stringify({ message: 'hello', idempotency_key: 'never arrived' })
  const socket = dial(simulator)
  const received = hear(socket)
  const bytes = chatBytes(simulator, { body })
  socket.write(bytes.subarray(0, -5))
  expect((await received).status).toBe(400)
  const whole = await exchange(simulator, { body })
  expect(whole).toMatchObject({ status: 200 })
  expect(whole.text).not.toContain('Replay')
})

test('an upload whose client goes away leaves its key free, and the simulator up', async () => {
  const body = JSON.stringify({ message: 'hello', idempotency_key: 'gone' })
  const socket = dial(simulator)
  const closed = hear(socket)
  socket.write(chatBytes(simulator, { body }).subarray(0, -5), () => socket.destroy())
  await closed
  const whole = await exchange(simulator, { body })
  expect(whole.text).not.toContain('Replay')
})

test.for([
  ['GET', '/nowhere', 404, null],
  ['POST', '/api/v1/chat/%zz', 404, null],
  ['POST', `/api/v1/chat/${'a'.repeat(2_000)}`, 404, null],
  ['GET', '/api/v1/chat/x', 405, 'POST'],
  ['POST', '/healthz', 405, 'GET'],
] as const)('%s %s is answered %i, flat', async ([method, path, status, allow]) => {
  const answer = await fetch(simulator.url + path, { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
  expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/./) as string })
})
