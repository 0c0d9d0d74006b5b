import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contractIdentifiers, identifiersOf } from '../../spec/identifiers.ts'
import { run } from '../process.testkit.ts'
import type { Ready } from '../simulate/open.ts'
import { environmentOf, placeholderValues } from './exec.ts'

const bin = fileURLToPath(new URL('../bin.ts', import.meta.url))
const node = process.execPath

/** A process of its own, because what it runs writes to the same stdout. */
async function exec(words: readonly string[]) {
  const child = spawn(node, [bin, 'exec', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, out, err }
}

const asks = `
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key, TOUCHSTONE_AGENT: agent } = process.env
  const turn = await fetch(url + '/api/v1/chat/' + agent, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + key, 'idempotency-key': 'k1' },
    body: '{"message":"Hello"}',
  })
  const control = await fetch(process.env.TOUCHSTONE_CONTROL_URL + '/journal')
  const [entry] = (await control.json()).entries
  console.log(turn.status, entry.path === '/api/v1/chat/' + agent, process.argv.slice(1).join(' '))
  process.exit(7)`

describe('touchstone exec', () => {
  it('lets a command talk to a simulator by its environment, and ends as the command does', async () => {
    const words = ['--seed', 'mine', '--', node, '--input-type=module', '-e', asks, '{seed}', '{}', '$HOME']

    const { err, ...ended } = await exec(words)
    expect(ended).toEqual({ code: 7, signal: null, out: '200 true mine {} $HOME\n' })
    expect(err).toMatch(/^Coverage: 1 of \d+ met; requests: 1\..*\n  event: not met: token/)
  })

  const coverage = join(mkdtempSync(join(tmpdir(), 'exec-')), 'coverage.json')
  /** A turn in a tenant of its own, which is removed before the command ends. */
  const inOwnTenant = `
  const { SERVICE_BASE_URL: url } = process.env
  const made = await fetch(url + '/_sim/v1/tenants', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const { keys, agents, control } = await made.json()
  const turn = await fetch(url + '/api/v1/chat/' + agents.plain, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + keys.main, 'idempotency-key': 'k1' },
    body: '{"message":"Hello","stream":true}',
  })
  await turn.text()
  await fetch(url + control, { method: 'DELETE' })`

  it.each<[code: number, required: string, missing: readonly string[], script: string]>([
    [0, 'event.done', [], inOwnTenant],
    [1, 'event.*', ['action_start', 'action_complete', 'gate_triggered', 'error', 'unknown'], inOwnTenant],
    [5, 'event.error', ['error'], 'process.exit(5)'],
  ])('ends with %i where %s is required', async (code, required, missing, script) => {
    const words = ['--require', required, '--coverage', coverage, '--', node, '--input-type=module', '-e']
    const ended = await exec([...words, script])

    expect([ended.code, ended.err.includes('Required, and not met: ')]).toEqual([code, missing.length > 0])
    expect(JSON.parse(readFileSync(coverage, 'utf8'))).toMatchObject({
      format: 'touchstone-coverage/1',
      missing: missing.map((name) => `event.${name}`),
    })
  })

  it('writes nothing and prints nothing without a request', async () => {
    expect(await exec(['--', node, '--version'])).toMatchObject({ code: 0, err: '' })
  })

  it('ends what does not end at the first signal with the second, and all that it started', async () => {
    const ignores = "process.on('SIGTERM', () => console.log('asked')); setInterval(() => {}, 1000)"
    const inner = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(ignores)}], { stdio: 'inherit' })`
    const child = spawn(
      node,
      [bin, 'exec', '--', node, '-e', `${inner}; ${ignores}; console.log(process.ppid)`],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const [parent] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    process.kill(Number(parent), 'SIGTERM')
    await once(child.stdout, 'data')
    // One that comes at once is taken for the same.
    await setTimeout(600)
    process.kill(Number(parent), 'SIGTERM')

    // It is closed once nothing holds it any more.
    expect(await once(child, 'close')).toEqual([137, null])
  })

  it('passes a signal on, and ends with 128 and its number', async () => {
    const waits = 'process.stdout.write(String(process.ppid)); setInterval(() => {}, 1000)'
    const child = spawn(node, [bin, 'exec', '--', node, '-e', waits], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [parent] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const ended = once(child, 'exit')
    process.kill(Number(parent), 'SIGTERM')

    expect(await ended).toEqual([143, null])
  })

  it.each([
    [['exec', '--', bin.replace('bin.ts', 'main.ts')], /no such executable; check its name, or put/],
    [['exec', '--no-control', '--', 'echo', '{control_url}'], /\{control_url\} has no value: leave/],
    [['exec', '--', 'echo', '{control_token}'], /give --control-token/],
    [['exec', '--host', '0.0.0.0', '--', 'echo'], /unknown option '--host'/],
    [['exec', '--coverage', 'none/here.json', '--', 'echo'], /none\/here.json: cannot be written/],
    [['exec', '--require', 'event.tokn', '--', 'echo'], /did you mean event.token\?/],
  ])('%j ends with exit code 2 and one line', async (words, line) => {
    const { code, err } = await run(words)

    expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1])
    expect(err).toMatch(line)
  })
})

const ready = {
  url: 'http://127.0.0.1:1',
  seed: 's',
  identifiers: contractIdentifiers,
  keys: { main: 'sk-main' },
  agents: { plain: 'agent_1' },
  sessions: { main: 'sess_1' },
  control: null,
} as unknown as Ready

it.for([
  ['acme', 'ACME_BASE_URL', 'ACME_API_KEY'],
  ['acme-corp', 'ACME_CORP_BASE_URL', 'ACME_CORP_API_KEY'],
  ['a2z', 'A2Z_BASE_URL', 'A2Z_API_KEY'],
] as const)(
  'environment and arguments of the command has the variables of %s in place of those of the contract',
  ([vendor, url, key]) => {
    const environment = environmentOf(placeholderValues(ready, undefined), identifiersOf(vendor))

    expect(environment).toMatchObject({ [url]: ready.url, [key]: 'sk-main' })
    expect(Object.keys(environment).filter((name) => !name.startsWith('TOUCHSTONE_'))).toEqual([url, key])
  },
)
