import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StateId } from '../../spec/index.ts'
import type { Finding } from '../../bundle/record.ts'
import type { HttpHook, Provision } from '../config/provided.ts'
import type { Target } from '../config/target.ts'
import { cleanup } from './cleanup.ts'
import { createdLine, goneLine, leftOvers, type Created } from '../../bundle/created.ts'
import type { Asking } from './states/providers/provider.ts'
import { runSuite, type RunOptions } from './drivers/server.ts'
import { serviceDouble, type Double } from './service.testkit.ts'
import { planned } from '../scenario/scenario.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

/** What the operator's own server was asked; `answer` may hold back for ever. */
let asked: string[]
let answer: (path: string) => { status: number; body?: string } | null
let admin: Server
let url: string
let service: Double
let refused: boolean
const folder = temporaryFolder()
let ledger: string[]

beforeEach(async () => {
  ;[asked, ledger, refused] = [[], [], true]
  answer = () => ({ status: 204 })
  service = await serviceDouble(() => (refused ? { status: 402, body: { error: 'no' } } : null))
  admin = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      asked.push(
        [method, path, headers.authorization, Buffer.concat(chunks).toString()].filter(Boolean).join(' '),
      )
      const said = answer(path)
      if (said) response.writeHead(said.status).end(said.body)
    })
  })
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`
})
afterEach(async () => {
  admin.closeAllConnections()
  await new Promise((resolve) => admin.close(resolve))
  await service.close()
})

const post = (path: string, json?: unknown): HttpHook => ({
  method: 'POST',
  url: `${url}${path}`,
  headers: [['authorization', 'Bearer admin-secret']],
  ...(json === undefined ? {} : { json }),
  expect: [200, 204],
})

const http = (change: Partial<Provision<'http'>> = {}): Provision<'http'> => ({
  provide: 'http',
  enter: post('/enter/{{agentId}}', { who: '{{principal}}', deep: ['{{ agentId }}!'], on: '{{message}}' }),
  leave: post('/leave'),
  timeoutSeconds: 5,
  secrets: ['admin-secret'],
  ...change,
})

/** What lets a run start programs. */
const allowed = { allowExec: true }
const node = (script: string, ...args: readonly string[]) => [process.execPath, '-e', script, ...args]
const exec = (enter: readonly string[], change: Partial<Provision<'exec'>> = {}): Provision<'exec'> => ({
  provide: 'exec',
  enter,
  timeoutSeconds: 5,
  environment: {},
  folder,
  secrets: [],
  ...change,
})

const books = {
  onCreate: (entry: Created) => void ledger.push(createdLine(entry)),
  onGone: (id: string) => void ledger.push(goneLine(id)),
}

async function runIt(
  provision: Provision,
  options: Partial<RunOptions> = {},
  { state = 'credits.exhausted', kind = 'staging' }: { state?: StateId; kind?: Target['kind'] } = {},
  one = planned({ states: [state] }),
) {
  const target: Target = { ...service.target, kind, states: { [state]: provision } }
  const run = await runSuite(target, { seed: 1, scenarios: { 'a/b': one }, ...books, ...options })
  return { run, finding: run.record.findings[0] as Finding, gate: run.record.gate, target }
}

describe('by http', () => {
  test('a hook receives the scenario, and is left by its own', async () => {
    const { finding } = await runIt(http())
    expect(finding).toMatchObject({ verdict: 'pass', states: [{ by: 'http' }] })
    expect(asked).toEqual([
      expect.stringMatching(
        /^POST \/enter\/agent-plain Bearer admin-secret \{"who":"main","deep":\["agent-plain!"\],"on":"[^{"]+"\}$/,
      ),
      'POST /leave Bearer admin-secret',
    ])
    expect(leftOvers(ledger)).toEqual([])
    expect(ledger).toHaveLength(2)
  })

  test('what a scenario passes cannot change where a hook goes', async () => {
    const one = planned({}, { run: (t) => t.enter('key.uncertain', { idempotencyKey: 'a/../b?c' }) })
    await runIt(http({ enter: post('/key/{{idempotencyKey}}') }), {}, { state: 'key.uncertain' }, one)
    expect(asked[0]).toContain('POST /key/a%2F..%2Fb%3Fc ')
  })

  const failing: readonly (readonly [string, () => Provision, string, readonly string[]])[] = [
    [
      'that fails is shown with its answer and without its secrets, and nothing is left',
      () => {
        answer = () => ({ status: 500, body: 'no such agent for admin-secret' })
        return http()
      },
      'its hook (POST to HOST) was answered 500: no such agent for [[secret]]; expected 200 or 204',
      ['POST /enter'],
    ],
    [
      'that hangs is broken off, and left because nobody knows whether it worked',
      () => {
        answer = (path) => (path === '/leave' ? { status: 204 } : null)
        return http({ timeoutSeconds: 1 })
      },
      'its hook (POST to HOST) took longer than 1 s and was broken off',
      ['POST /enter', 'POST /leave'],
    ],
    [
      'that wants what the scenario has not is not asked',
      () => http({ enter: post('/{{conversationId}}') }),
      'its hook wants {{conversationId}}, which this scenario has not',
      [],
    ],
    ['at port 99999', () => http({ enter: { ...post('/'), url: 'http://a:99999' } }), 'Invalid URL', []],
  ]
  test.for(failing)('a hook %s', async ([, provision, words, wanted]) => {
    const { finding } = await runIt(provision())
    expect(finding).toMatchObject({ verdict: 'not-exercised', states: [{ by: 'http' }] })
    expect(finding.detail?.replace(new URL(url).host, 'HOST')).toContain(words)
    expect(asked.map((line) => /^\w+ \/\w+/.exec(line)?.[0])).toEqual(wanted)
    expect(leftOvers(ledger)).toEqual([])
    expect(service.seen.map(({ body }) => body)).toEqual(['{}'])
  })

  test('a hook that cannot be left is said in the gate and stays in the ledger, until a cleanup leaves it', async () => {
    answer = (path) => ({ status: path === '/leave' ? 503 : 204 })
    const { gate, run, target } = await runIt(http())
    expect(gate.because[0]).toMatch(
      /^credits\.exhausted could not be left: its hook \(POST to .*\) was answered 503; expected 200 or 204$/,
    )
    expect(run.record.exitCode).toBe(3)
    const left = leftOvers(ledger)
    expect(left).toMatchObject([
      { state: 'credits.exhausted', by: 'http', about: { agentId: 'agent-plain' } },
    ])
    expect(JSON.stringify(left)).not.toContain('admin-secret')
    expect(await cleanup(target, left)).toMatchObject({
      gone: [],
      left: [{ because: expect.stringContaining('was answered 503') as string }],
    })
    answer = () => ({ status: 204 })
    expect(await cleanup(target, left, books)).toEqual({ gone: left, left: [] })
    expect(leftOvers(ledger)).toEqual([])
  })
})

describe('by exec', () => {
  const failing: readonly (readonly [string, () => Provision<'exec'>, string])[] = [
    [
      'that fails is shown with the end of stderr, without its secrets',
      () =>
        exec(node('console.error("no such agent for " + process.env.TOKEN); process.exit(3)'), {
          environment: { TOKEN: 'admin-secret' },
          secrets: ['admin-secret'],
        }),
      'ended with exit code 3: no such agent for [[secret]]',
    ],
    [
      'that hangs is ended',
      () => exec(node('setInterval(() => {}, 1000)'), { timeoutSeconds: 0.2 }),
      'took longer than 0.2 s and was broken off',
    ],
    [
      'that prints no JSON is asked for it',
      () => exec(node('console.log("paused!")')),
      'printed what is no JSON object: paused!; print {"agentId", "message", "principal"} with what the scenario is to use, or nothing',
    ],
  ]
  test.for(failing)('a program %s', async ([, provision, words]) => {
    const { finding } = await runIt(provision(), allowed)
    expect(finding).toMatchObject({
      reason: 'state-not-established',
      detail: expect.stringContaining(words) as string,
    })
  })

  test.for(['$(touch x)', '-rf', 'a b', 'a;b', ''])(
    'no program is given what a target answered as %j',
    async (answered) => {
      const touched = join(folder, 'touched')
      writeFileSync(touched, '')
      const one = planned({}, { run: (t) => t.enter('webhook.inactive', { webhookId: answered }) })
      const hook = exec(node('require("fs").appendFileSync(process.argv[1], "x")', touched, '{{webhookId}}'))
      const { finding } = await runIt(hook, allowed, { state: 'webhook.inactive' }, one)
      expect(finding).toMatchObject({
        reason: 'state-not-provided',
        detail: expect.stringContaining(
          `for {{webhookId}} the target answered ${JSON.stringify(answered)}`,
        ) as string,
      })
      expect(readFileSync(touched, 'utf8')).toBe('')
    },
  )

  test('no program is run without leave to do so, and the plan says so', async () => {
    const touched = join(folder, 'touched')
    writeFileSync(touched, '')
    const { finding } = await runIt(exec(node('require("fs").appendFileSync(process.argv[1], "x")', touched)))
    expect(finding).toMatchObject({
      reason: 'opt-in-required',
      detail: `credits.exhausted is entered by running ${process.execPath}; allow that with --allow-exec`,
    })
    expect(readFileSync(touched, 'utf8')).toBe('')
  })
})

describe('by hand', () => {
  const manual: Provision = {
    provide: 'manual',
    instruction: 'Spend the credits of {{principal}}',
    undo: 'Give them back',
    timeoutSeconds: 0.05,
  }

  test('a person is asked, and asked to undo it', async () => {
    const texts: string[] = []
    const ask = ({ is, text }: Asking) => (texts.push(`${is}: ${text}`), Promise.resolve(true))
    const { finding } = await runIt(manual, { ask })
    expect(finding).toMatchObject({ verdict: 'pass', states: [{ by: 'manual' }] })
    expect(texts).toEqual(['enter: Spend the credits of main', 'leave: Give them back'])
  })
})

test.for(['http', 'exec', 'control'] as const)('a production target is not forced by %s', async (provide) => {
  const ways = { http: http(), exec: exec(['true']), control: { provide } as Provision }
  const { finding } = await runIt(ways[provide], allowed, { kind: 'production' })
  expect(finding.detail).toBe(
    `credits.exhausted: a production target is not forced into a state by ${provide}; provide it by fixture, manual or none`,
  )
  expect(asked).toEqual([])
})

test('what a killed run left by control without a handle has to be looked at by hand', async () => {
  const target: Target = {
    ...service.target,
    control: { url, token: null },
    states: { 'server.503': { provide: 'control' }, 'chat.paused': http() },
  }
  const about = { agentId: 'agent-plain' }
  const { gone, left } = await cleanup(target, [
    { id: '1', what: 'state', state: 'chat.paused', by: 'http', about },
    { id: '2', what: 'state', state: 'server.503', by: 'control', about },
    { id: '3', what: 'state', state: 'server.503', by: 'control', about, handle: 'h 3' },
    { id: '4', what: 'state', state: 'chat.paused', by: 'exec', about },
  ])
  expect(gone.map(({ id }) => id)).toEqual(['3', '1'])
  expect(asked.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'DELETE /states/server.503/h%203',
    'POST /leave',
  ])
  expect(left.map(({ because }) => because)).toEqual([
    'chat.paused was entered by exec, and the target file now provides it by http; give the file of that run',
    'the control protocol never gave a handle to leave it by',
  ])
})

test('what is only attested is shown, and is never a pass', async () => {
  const attest: Provision = { provide: 'attest', by: 'J. Doe', on: '2026-01-10', note: 'seen in the log' }
  const { finding, run } = await runIt(attest)
  expect(finding).toMatchObject({
    verdict: 'not-exercised',
    reason: 'attested',
    detail: 'credits.exhausted is attested by J. Doe on 2026-01-10: seen in the log',
  })
  expect(run.record.conformance).toBe('partial')
})

test('an aborted run leaves what it entered, and says what it could not leave', async () => {
  const end = new AbortController()
  answer = (path) => ({ status: path === '/leave' ? 500 : 204 })
  const one = planned(
    { states: ['credits.exhausted'] },
    { run: async (t) => (end.abort(), void (await t.chat('one'))) },
  )
  const { finding, gate } = await runIt(http(), { signal: end.signal }, {}, one)
  expect(finding.reason).toBe('interrupted')
  expect(asked.map((line) => line.split(' ')[1])).toEqual(['/enter/agent-plain', '/leave'])
  expect(gate.because.join('\n')).toContain('credits.exhausted could not be left')
})

test('nothing is created when the ledger cannot be written', async () => {
  const onCreate = (): never => {
    throw new Error('the disk is full')
  }
  const { finding } = await runIt(http(), { onCreate })
  expect(finding).toMatchObject({ reason: 'prerequisite-failed', detail: 'the disk is full' })
  expect(asked).toEqual([])
})
