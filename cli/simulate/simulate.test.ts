import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clockSetting } from '../options.ts'
import type { Ready } from './open.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const bin = fileURLToPath(new URL('../bin.ts', import.meta.url))
const folder = temporaryFolder()
let child: ChildProcess
let ready: Ready

beforeAll(async () => {
  const slow = join(folder, 'slow.yaml')
  writeFileSync(slow, 'match: { message: Wait }\nreply: { tokens: [a, b], tokenDelayMs: 60000 }\n')
  const words = ['simulate', '--port', '0', '--json', '--drain', '3600', '--replies', slow]
  child = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  if (!child.stdout) throw new Error('the simulator has no stdout')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator ended with exit code ${code} instead of listening`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  // From here on it may end.
  ended.catch(() => {})
  ready = JSON.parse(line) as Ready
})

afterAll(() => {
  child.kill('SIGKILL')
})

function turn(message: string, stream: boolean): Promise<Response> {
  return fetch(`${ready.url}/api/v1/chat/${ready.agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.keys.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream, idempotency_key: message }),
  })
}

describe('touchstone simulate, as a process', () => {
  it('answers a turn with the key and agent of its line, and has a control plane', async () => {
    const answer = await turn('Hello', false)
    const control = await fetch(ready.control ?? '')

    expect([answer.status, control.status]).toEqual([200, 200])
  })

  it('prints commands that work when they are pasted', async () => {
    const other = spawn(process.execPath, [bin, 'simulate', '--port', '0', '--legacy'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [text] = (await once(other.stdout.setEncoding('utf8'), 'data')) as [string]
    const commands = [...text.matchAll(/^ {2}curl [^]*?-d '.*'$/gm)].map(([command]) => command)
    const answers = commands.map((command) => spawnSync('bash', ['-c', command], { encoding: 'utf8' }).stdout)
    other.kill('SIGINT')

    expect(await once(other, 'exit')).toEqual([0, null])
    expect(answers).toEqual([
      expect.stringContaining('"response":'),
      expect.stringContaining('"type":"done"'),
      expect.stringContaining('"message_id":"msg_'),
      expect.stringContaining('"secret_key":"whsec_'),
      expect.stringContaining('"deliveries":["whd_'),
    ])
  })

  // Last, because it ends the process that the others speak to.
  it('waits at SIGTERM for work in flight, and stops at once at a second signal', async () => {
    const stream = await turn('Wait', true)
    const rest = stream.text().then(
      () => 'ended',
      () => 'cut off',
    )
    child.kill('SIGTERM')
    const [words] = (await once(child.stderr?.setEncoding('utf8') ?? child, 'data')) as [string]
    child.kill('SIGINT')

    expect(await once(child, 'exit')).toEqual([null, 'SIGINT'])
    expect(words).toBe('waiting up to 3600 s for 1 response, 1 turn; a second signal stops at once.\n')
    expect(await rest).toBe('cut off')
  })
})

describe('touchstone simulate, the options', () => {
  it.each([
    ['real', { mode: 'real' }],
    ['frozen', { mode: 'frozen' }],
    ['frozen:2030-01-01T00:00:00Z', { mode: 'frozen', at: Date.UTC(2030, 0) }],
    ['offset:-5000', { mode: 'offset', ms: -5000 }],
    ['scaled:0.5', { mode: 'scaled', factor: 0.5 }],
  ])('reads the clock %s', (text, setting) => {
    expect(clockSetting(text)).toEqual(setting)
  })

  it.each(['', 'real:1', 'frozen:soon', 'offset:1h', 'scaled:0', 'scaled:Infinity', 'constructor'])(
    'refuses the clock %j',
    (text) => {
      expect(() => clockSetting(text)).toThrow('Give real, frozen')
    },
  )
})
