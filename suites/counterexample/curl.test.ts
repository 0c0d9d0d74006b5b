import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { curlOf } from '../../bundle/curl.ts'
import { serviceDouble, type Double } from '../runner/service.testkit.ts'
import type { Exchange } from '../../bundle/record.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

type Sent = Exchange['request']

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function sent(change: Partial<Sent> = {}): Exchange {
  const request: Sent = {
    method: 'POST',
    path: '/api/v1/chat/agent-1',
    headers: [
      ['Authorization', 'Bearer sk-very-secret'],
      ['Content-Type', 'application/json'],
    ],
    body: bytes('{"message":"Hello"}'),
    principal: 'main',
    ...change,
  }
  const times = { sentAt: 0, endedAt: 1 }
  return { id: 7, scenario: 'a/b', name: 'one', request, ...times, response: null, failure: null }
}

describe('a request as a curl command', () => {
  it.each(['Basic sk-very-secret', 'Token sk-very-secret', 'sk-very-secret', 'Bearer  sk-very-secret x'])(
    'hides the key of %j',
    (value) => {
      expect(curlOf(sent({ headers: [['AUTHORIZATION', value]] }), { baseUrl: '' })).not.toContain(
        'very-secret',
      )
    },
  )

  it('names the key by a variable and never by value', () => {
    expect(curlOf(sent(), { baseUrl: 'https://staging.example' })).toBe(
      `curl -sS -i -N -X POST https://staging.example/api/v1/chat/agent-1 -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' --data-raw '{"message":"Hello"}'`,
    )
  })

  it('does not pass a wrong key off as the real one', () => {
    expect(curlOf(sent({ principal: null }), { baseUrl: '' })).toContain('${WRONG_API_KEY:-sk-wrong}')
  })
})

const shell = promisify(execFile)
const cookieFile = join(temporaryFolder(), 'co okie')
writeFileSync(cookieFile, 'sid=1\n')
let service: Double | undefined
afterEach(() => service?.close())

// Both stand on most machines; without them the line cannot be tried.
const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

describe.runIf(tools)(
  'run by a shell, it sends the same request again, with the key of whoever runs it',
  () => {
    it.each<[string, Uint8Array]>([
      ['quotes and signs of the shell', bytes(`{"message":"it's \`$HOME\` \\"x\\" \n 🙂"}`)],
      ['an at sign in front', bytes('@/etc/hostname')],
      ['a zero byte and bytes that are no text', Uint8Array.of(0, 1, 0xff, 0x27, 0x0a, 0x5c, 0x25)],
      ['a control character before a digit, and a backslash', bytes(`\u00011\u001b0\\'`)],
    ])('%s', async (_, body) => {
      service = await serviceDouble(() => ({ status: 200, body: {} }))
      const headers = [
        ['Authorization', 'Bearer sk-secret'],
        ['Idempotency-Key', `it's "quoted" $HOME`],
        ['X-Idempotency-Key', ''],
        ['Content-Length', '1'],
        ['X-Gate', '[[header:X-Gate:604bf213]]'],
        ['X-Pass', 'it "is" [[header:X-Pass:7b729168]]'],
        ['Cookie', '[[header:Cookie.other:01234567]]'],
      ] as const
      const keys = { 'header:X-Gate': 'env:GATE', 'header:Cookie.other': `file:${cookieFile}` }
      const line = curlOf(sent({ path: '/api/v1/chat/a?b=$c', headers, body }), { ...service.target, keys })
      const env = { ...process.env, API_KEY: 'sk-mine', GATE: 'open', HEADER_X_PASS: '$me' }
      await shell('bash', ['-c', line], { env })
      expect(service.seen[0]).toMatchObject({
        path: '/api/v1/chat/a?b=$c',
        headers: {
          authorization: 'Bearer sk-mine',
          'idempotency-key': `it's "quoted" $HOME`,
          'x-idempotency-key': '',
          'x-gate': 'open',
          'x-pass': 'it "is" $me',
          cookie: 'sid=1',
        },
        body: Buffer.from(body).toString(),
      })
    })
  },
)
