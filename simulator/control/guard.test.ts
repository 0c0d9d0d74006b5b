import { expect, test } from 'vitest'
import { presentValues, type Call } from '../edge/reply.ts'
import { createSimulator } from '../index.ts'
import { dial, hear } from '../testing/socket.testkit.ts'
import { admitControl, tokenProblem, isLoopbackHost, ControlRefusal } from './guard.ts'

const token = 'a-token-that-is-long-enough'
const right = `Authorization: Bearer ${token}`

/** `lines`: headers as they are written; a Host unless there is one. */
function call(lines: readonly string[], body = ''): Call {
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    return [name, value] as const
  })
  const named = lines.some((line) => /^host:/i.test(line))
  return {
    id: 1,
    connection: 1,
    server: 1,
    method: 'POST',
    path: '/_sim/v1/faults',
    params: {},
    headers: named ? headers : [['Host', '127.0.0.1:4010'], ...headers],
    body: Buffer.from(body),
    client: presentValues,
  }
}

/** No status at all where the words of a refusal have the token in them. */
function statusOf(asked: Call, wanted: string | null): number {
  try {
    admitControl(asked, wanted)
    return 200
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error
    return error.message.includes(token) ? Number.NaN : error.status
  }
}

test.for([
  [200, [right]],
  [200, [`authorization: bearer  ${token}`]],
  [401, []],
  [401, [`Authorization: Bearer ${token}x`]],
  [401, [`Authorization: Bearer ${token.slice(1)}`]],
  [401, [`Authorization: Bearer ${token.toUpperCase()}`]],
  [401, [`Authorization: Basic ${token}`]],
  [401, [`Authorization: ${token}`]],
  [401, ['Authorization: Bearer ']],
  [401, [right, right]],
  [200, [right, 'Host: simulator.test:4010']],
  [403, [right, 'Host: simulator.test', 'Origin: https://page.example']],
  [200, [right, 'Host: simulator.test', 'Origin: https://simulator.test']],
] as const)('with a token: %i for %j', ([status, lines]) => {
  expect(statusOf(call(lines), token)).toBe(status)
})

test.for([
  [200, ['Host: localhost:4010']],
  [200, ['Host: sim.localhost:4010']],
  [200, ['Host: [::1]:4010']],
  [200, ['Host: 10.1.2.3']],
  [403, ['Host: rebound.example:4010']],
  [403, ['Host: localhost.rebound.example']],
  [403, ['Host: 127.0.0.1.rebound.example']],
  [403, ['Host: 127.0.0.1@rebound.example']],
  [403, ['Host: ']],
  [403, ['Host: localhost', 'Host: localhost']],
  [200, ['Sec-Fetch-Site: same-origin', 'Origin: http://127.0.0.1:4010']],
  [200, ['Sec-Fetch-Site: none']],
  [200, ['Sec-Fetch-Mode: cors']],
  [403, ['Sec-Fetch-Site: cross-site']],
  [403, ['Sec-Fetch-Site: same-site']],
  [403, ['Origin: http://127.0.0.1:3000']],
  [403, ['Origin: https://page.example']],
  [403, ['Origin: null']],
  [403, ['Host: 127.0.0.1:4010', 'Origin: https://127.0.0.1:4010']],
  [403, ['Origin: http://127.0.0.1:4010', 'Origin: http://127.0.0.1:4010']],
  [403, ['Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site']],
  [403, ['X-Service-Delivery-Id: whd_1']],
  [403, ['x-service-signature: sha256=00']],
  [403, ['x-acme-corp-signature: none']],
  [403, ['X-A2Z-Delivery-Id: 1']],
  [403, ['Delivery: whd_1']],
  [403, ['Delivery: test_1']],
  [403, [`Signed: sha256=${'0a'.repeat(32)}`]],
  [200, ['X-Request-Id: 7', 'Signature: none', 'X-Digest: sha256=0a']],
] as const)('without one: %i for %j', ([status, lines]) => {
  expect(statusOf(call(lines), null)).toBe(status)
})

test.for([
  [200, 'application/json'],
  [200, 'application/json; charset=utf-8'],
  [200, 'APPLICATION/merge-patch+JSON'],
  [415, 'text/plain'],
  [415, 'application/jsonp'],
  [415, 'text/plain; application/json'],
  [415, ''],
] as const)('%i for a body of the type %j', ([status, type]) => {
  expect(statusOf(call([`Content-Type: ${type}`], '{}'), null)).toBe(status)
  expect(statusOf(call([`Content-Type: ${type}`]), null)).toBe(200)
})

test('what the target of a request names counts for more than its Host', async () => {
  const simulator = await createSimulator()
  const socket = dial(simulator)
  const received = hear(socket)
  const lines = ['GET http://rebound.example/_sim/v1/faults HTTP/1.1', 'Host: localhost', 'Connection: close']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  expect(await received).toMatchObject({ status: 403 })
  await simulator.close()
})

test.for([
  ['', /0 characters/],
  ['0123456789abcde', /15 characters/],
  ['a token with blanks in it', /visible ASCII/],
  ['schlüssel-0123456789', /visible ASCII/],
] as const)('%j is no token', ([given, words]) => {
  expect(tokenProblem(given)).toMatch(words)
})

test.for([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.rebound.example', false],
  ['10.0.0.1', false],
] as const)('%s is for this machine alone: %s', ([host, alone]) => {
  expect(isLoopbackHost(host)).toBe(alone)
})
