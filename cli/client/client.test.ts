import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunRecord } from '../../bundle/record.ts'
import { main } from '../main.ts'
import { run, testIo } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const token = 'token-of-the-gateway'
const env = { PATH: process.env['PATH'] }

/** Sends a chat turn, reports it, and prints its key to stdout and stderr. */
const turn = `
const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key, TOUCHSTONE_AGENT: agent, TOUCHSTONE_TASK: task } = process.env
async function send({ baseUrl = url, apiKey = key, agent: of = agent, task: { message, idempotencyKey } }) {
  const answer = await fetch(baseUrl + '/api/v1/chat/' + of, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + apiKey, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ message }),
  })
  const reply = await answer.json()
  console.log('touchstone ' + JSON.stringify({ saw: 'reply', reply: { ...reply, mine: apiKey } }))
  console.log('my key is ' + apiKey)
  console.error('my key is ' + apiKey)
}`
const files = {
  'app.mjs': `${turn}\nawait send({ task: JSON.parse(task) })`,
  'driver.mjs': `${turn}
    for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
      const step = JSON.parse(line)
      await send(step)
      console.log('touchstone ' + JSON.stringify({ end: step.id }))
    }`,
  'hangs.mjs': `${turn}
    await send({ task: JSON.parse(task) })
    setInterval(() => undefined, 1_000)`,
  'forks.sh': '#!/bin/sh\nsleep 300 &\necho $! > "$1"\nexit 1\n',
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
chmodSync(join(root, 'forks.sh'), 0o755)
const app = (name: keyof typeof files): readonly string[] => [process.execPath, join(root, name)]
const one = ['--only', 'client-chat/turn', '--seed', '7', '--quiet'] as const

async function judge(more: readonly string[], command: readonly string[]) {
  const out = mkdtempSync(join(root, 'out-'))
  const said = await run(['client', '--out', out, ...more, '--', ...command], { env })
  return { ...said, folder: out }
}

function everythingIn(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const plain = entries.filter((entry) => entry.isFile())
  return plain.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('')
}

/** Most tests start processes, which is slow on a busy machine. */
const patient = { timeout: 60_000 }

describe('touchstone client', patient, () => {
  it('writes the reports of a run without keys', async () => {
    const { code, out, err, folder } = await judge([...one], [...app('app.mjs'), '--token', token])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('app.mjs --token …, client\n')
    const texts = everythingIn(folder)
    expect([/sk-[\w-]{20}/.test(texts), texts.includes(token)]).toEqual([false, false])
    expect(texts).toContain('my key is [[key')
    expect(texts).toMatch(/<title>[^<]*\(client\)<\/title>/)
  })

  it('redacts keys in warnings about invalid lines', async () => {
    const command = ['echo', 'touchstone', '{api_key}', 'in', '{agent}', '{nothing}']
    const { err } = await judge([...one], command)
    expect(err).toMatch(
      /client-chat\/turn\/turn: "touchstone " is not followed by.*\[\[key.* in agent_\w+ \{nothing\}/,
    )
    expect(err).not.toContain('sk-')
  })

  it("serves with the vendor's word of touchstone.yaml, whose secrets it does not need", async () => {
    const folder = mkdtempSync(join(root, 'vendor-'))
    copyFileSync('docs/target.example.yaml', join(folder, 'touchstone.yaml'))
    const own = [
      'sh',
      '-c',
      'test -n "$ACME_API_KEY" && SERVICE_BASE_URL=$ACME_BASE_URL SERVICE_API_KEY=$ACME_API_KEY node "$0"',
    ]
    const words = ['client', ...one, '--', ...own, join(root, 'app.mjs')]
    const { status } = spawnSync('node', [resolve('cli/bin.ts'), ...words], { cwd: folder, env })
    expect(status).toBe(0)
  })

  it('skips what --can leaves out, and verify rejects a record that claims otherwise', async () => {
    const asked = ['--can', 'chat', '--only', 'client-billing/*', '--quiet']
    const { code, out, folder } = await judge(asked, ['true'])
    expect([code, out]).toEqual([3, expect.stringContaining(', client, asked to chat')])
    expect(out).toContain('--can leaves out all that was selected: the client was said not to have `billing`')
    const honest = await run(['verify', '--rejudge', folder])
    expect([honest.code, honest.out]).toEqual([0, expect.stringContaining('verdicts recomputed: same')])
    const file = join(folder, 'run.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"can": \[/, '"can": ["billing", '))
    const forged = await run(['verify', folder])
    expect([forged.code, forged.out]).toEqual([
      1,
      expect.stringContaining('asks for nothing that is missing'),
    ])
  })

  it('passes nothing of an action that --can names and the client never does', async () => {
    const only = ['stream-events/*', 'rates/streams', 'billing/*', 'discovery/*', 'operations/*', 'uploads/*']
    const patterns = only.flatMap((pattern) => ['--only', `client-${pattern}`])
    const { out, folder } = await judge(['--quiet', ...patterns], app('app.mjs'))
    const { findings } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord
    expect(findings.filter(({ verdict }) => ['pass', 'warn', 'not-applicable'].includes(verdict))).toEqual([])
    expect(new Set(findings.map(({ area }) => area)).size).toBe(3)
    expect(out).toContain('the client never asked for a stream, so streaming was not tested')
  })

  it('reports what was done when it is stopped early', async () => {
    const io = testIo({ env })
    const out = mkdtempSync(join(root, 'out-'))
    const ending = main(['client', '--out', out, ...one, '--', ...app('hangs.mjs')], io)
    await expect.poll(() => io.printed.err + readdirSync(`${out}.running`).join(' ')).toContain('plan.json')
    io.stop()
    expect(await ending).toBe(3)
    expect(io.printed.out).toContain('Interrupted: The run was ended early')
    expect(io.printed.err).toContain('Stopping: the results so far are reported')
  })
})

const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ['a command that is not there', ['--', 'no-such-client'], 'no-such-client: there is no such executable'],
  ['a file that cannot be run', ['--', join(root, 'app.mjs')], 'put its interpreter before it'],
  ['a placeholder that is none', ['--', 'true', '--say={mesage}'], 'did you mean {message}?'],
  ['no action', ['--can', ',', '--', 'true'], 'name at least one of chat, stream'],
  [
    'a driver of a command line',
    ['--driver', '--as', 'command-line', '--', 'true'],
    'is started for each step',
  ],
  ['actions of a command line', ['--can', 'chat', '--as', 'command-line', '--', 'true'], 'use --only'],
  [
    'a person and a command',
    ['--interactive', '--', 'true'],
    '--interactive and a command cannot be combined',
  ],
  ['a person who is not there', ['--interactive'], '--interactive needs a terminal'],
  ['another kind of client', ['--as', 'browser', '--', 'true'], 'Choose from client, library'],
  ['a pattern of another kind', ['--only', 'CLI-JSON', '--', 'true'], 'concerns another kind of client'],
]

it.each(wrong)('touchstone client refuses %s', async (_, words, said) => {
  const out = join(root, 'none')
  const { code, err } = await run(['client', '--out', out, ...words], { env })
  expect([code, err]).toEqual([2, expect.stringContaining(said)])
})
