import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import { curlOf } from './curl.ts'
import { serviceDouble, type Double } from './service.double.ts'

const shell = promisify(execFile)
let service: Double | undefined
afterEach(() => service?.close())

function exchangeOf(body: Uint8Array): Exchange {
  const headers = [
    ['Authorization', 'Bearer sk-secret'],
    ['Idempotency-Key', `it's "quoted" $HOME`],
    ['Content-Length', '1'],
  ] as const
  const request = { method: 'POST', path: '/api/v1/chat/a?b=$c', headers, body, principal: 'main' }
  return {
    id: 1,
    scenario: 'a/b',
    name: 'one',
    request,
    sentAt: 0,
    endedAt: 0,
    response: null,
    failure: null,
  }
}

const bodies: readonly (readonly [string, Uint8Array])[] = [
  ['quotes and signs of the shell', new TextEncoder().encode(`{"message":"it's \`$HOME\` \\"x\\" \n 🙂"}`)],
  ['an at sign in front', new TextEncoder().encode('@/etc/hostname')],
  ['a zero byte and bytes that are no text', Uint8Array.of(0, 1, 0xff, 0x27, 0x0a)],
  ['nothing', new Uint8Array()],
]

// Both stand on most machines; without them the line cannot be tried.
const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

describe.runIf(tools)(
  'the line, run by a shell, sends the same request again, with the key from the environment',
  () => {
    test.for(bodies)('%s', async ([, body]) => {
      service = await serviceDouble(() => ({ status: 200, body: {} }))
      const line = curlOf(exchangeOf(body), service.target.baseUrl)
      expect(line).not.toContain('sk-secret')
      await shell('bash', ['-c', line], { env: { ...process.env, TOUCHSTONE_KEY: 'sk-mine' } })
      expect(service.seen[0]).toMatchObject({
        path: '/api/v1/chat/a?b=$c',
        headers: { authorization: 'Bearer sk-mine', 'idempotency-key': `it's "quoted" $HOME` },
        body: Buffer.from(body).toString(),
      })
    })
  },
)

test('without an address the line takes it from the environment', () => {
  expect(curlOf(exchangeOf(new Uint8Array()))).toContain(`"$TOUCHSTONE_URL"'/api/v1/chat/a?b=$c'`)
})
