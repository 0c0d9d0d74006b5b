/** What the simulator sends under another vendor's word, as programs of others see it: curl, and a receiver in Python. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Ready } from '../../cli/simulate/open.ts'
import { touchstoneBin } from '../bundled.ts'
import { vendors } from './vendors.ts'

/** Takes one delivery; the names of its headers are made here, and nowhere in the project. */
const receiver = `
import hashlib, hmac, http.server, json, sys
word = sys.argv[1]
user_agent = '-'.join(part[:1].upper() + part[1:] for part in word.split('-')) + '-Webhooks/1.0'
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        digest = hmac.new(sys.stdin.readline().strip().encode(), body, hashlib.sha256).hexdigest()
        print(json.dumps({
            'signed': self.headers[f'x-{word}-signature'] == f'sha256={digest}',
            'test': self.headers[f'x-{word}-delivery-id'].startswith('test_'),
            'event': self.headers[f'x-{word}-event'] == json.loads(body)['eventType'],
            'agent': self.headers['User-Agent'] == user_agent,
            'foreign': [name for name in self.headers if 'service' in name.lower()],
        }), flush=True)
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Receiver)
print(server.server_port, flush=True)
server.handle_request()
`

function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface(child.stdout) }
}

const next = async (lines: Interface): Promise<string> => ((await once(lines, 'line')) as [string])[0]

async function curl(url: string, credentials: string, more: readonly string[]): Promise<string> {
  const headers = [credentials, 'Content-Type: application/json']
  const words = ['-sS', '-i', url, ...headers.flatMap((header) => ['-H', header]), ...more]
  return (await promisify(execFile)('curl', words)).stdout
}

const missing = ['curl', 'python3'].filter((tool) => spawnSync(tool, ['--version']).status !== 0)

describe.skipIf(missing.length > 0)('touchstone simulate', () => {
  test.for(vendors)('--vendor %s', async (vendor) => {
    const { lines } = start(process.execPath, [
      touchstoneBin,
      'simulate',
      '--vendor',
      vendor,
      '--port',
      '0',
      '--json',
    ])
    const { url, keys, agents, sessions } = JSON.parse(await next(lines)) as Ready
    const chat = `${url}/api/v1/chat/${agents.plain}`
    const [key, session] = [`Authorization: Bearer ${keys.main}`, `Cookie: session=${sessions.main}`]
    const turn = ['-d', '{"message":"Hello"}', '-H', 'Idempotency-Key: k1']
    const first = await curl(chat, key, turn)
    const second = await curl(chat, key, turn)
    const marks = (text: string) => text.split('\r\n').filter((line) => /replay/i.test(line))
    const name = vendor.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
    expect([marks(first), marks(second)]).toEqual([[], [`X-${name}-Idempotent-Replay: true`]])

    const python = start('python3', ['-c', receiver, vendor])
    const port = await next(python.lines)
    const hooks = `${url}/api/agents/${agents.plain}/webhooks`
    const fields = { name: 'Mine', endpoint_url: `http://localhost:${port}/`, events: ['leads.submit'] }
    const made = await curl(hooks, session, ['-d', JSON.stringify(fields)])
    const { id, secret_key: secret } = JSON.parse(made.slice(made.indexOf('\r\n\r\n'))) as Record<
      string,
      string
    >
    python.child.stdin.write(`${secret}\n`)
    const reported = next(python.lines)
    expect(await curl(`${hooks}/${id}/test`, session, ['-X', 'POST'])).toMatch(/^HTTP\/1.1 200/)
    expect(JSON.parse(await reported)).toEqual({
      signed: true,
      test: true,
      event: true,
      agent: true,
      foreign: [],
    })
  })
})
