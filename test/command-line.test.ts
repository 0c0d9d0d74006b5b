/** `service-client` against the simulator: each clause of the command line, and what only a real process shows. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../client/catalogue/operations.ts'
import type { Io } from '../client/command-line/io.ts'
import { run, type Captured } from '../client/command-line/process.double.ts'
import { createSimulator, type Simulator, type Tenant, type TenantOptions } from '../simulator/index.ts'
import { areas, newestRevision } from '../spec/index.ts'

const bin = resolve(import.meta.dirname, '../client/command-line/bin.ts')
const ofTheContract = ['--idempotency-key', 'turn-1'] as const

let simulator: Simulator
let tenant: Tenant
let home: string
beforeAll(async () => void (simulator = await createSimulator()))
afterAll(() => simulator.close())
beforeEach(() => {
  tenant = simulator.createTenant({ journalCredentials: 'kept', tasks: { by: 'at-once' } })
  home = mkdtempSync(join(tmpdir(), 'service-client-'))
  return () => {
    tenant.close()
    rmSync(home, { recursive: true, force: true })
  }
})

type Key = keyof Tenant['keys']
const environment = (key: Key = 'main'): Record<string, string> => ({
  SERVICE_BASE_URL: simulator.url,
  SERVICE_API_KEY: tenant.keys[key],
})

/** One command in the home of the test, with the key of the environment unless it is said otherwise. */
const type = (argv: readonly string[], over: Partial<Io> = {}): Promise<Captured> =>
  run(argv, { home, env: environment(), ...over })

const chatWords = (agent: keyof Tenant['agents'] = 'plain', ...more: string[]): string[] => [
  'chat',
  '--agent',
  tenant.agents[agent],
  '--message',
  'Hello there',
  ...ofTheContract,
  ...more,
]

/** Method and path of all that was sent. */
const sent = (): string[] => tenant.journal.entries().map(({ method, path }) => `${method} ${path}`)
const header = (at: number, wanted: string): string | undefined =>
  tenant.journal
    .entries()
    .at(at)
    ?.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
const body = (at = -1): unknown =>
  JSON.parse(Buffer.from(tenant.journal.entries().at(at)?.body ?? []).toString())
const usedKey = (): string | undefined => header(-1, 'authorization')?.replace('Bearer ', '')

/** Saves a profile with a key, in the home of the test. */
const login = (profile: string, key: Key, over: Partial<Io> = {}): Promise<Captured> =>
  type(['login', '--profile', profile, '--base-url', simulator.url], {
    env: {},
    read: () => Promise.resolve(`${tenant.keys[key]}\n`),
    ...over,
  })
const saved = (): string => join(home, '.config/service-client/profiles.json')

describe('chat', () => {
  test('CLI-CHAT-REQUIRED: with any of the three options missing or empty is refused before anything is sent', async () => {
    const whole = chatWords()
    const lacking = ['--agent', '--message', '--idempotency-key'].flatMap((option) => {
      const at = whole.indexOf(option)
      return [whole.toSpliced(at, 2), whole.toSpliced(at + 1, 1, '')]
    })
    const ended = await Promise.all(lacking.map((words) => type(words)))

    expect(ended.map(({ code, out }) => ({ code, out }))).toEqual(ended.map(() => ({ code: 2, out: '' })))
    expect(sent()).toEqual([])
    expect((await type(whole)).code).toBe(0)
  })

  test('prints the reply to stdout, what else there is to know to stderr, and sends the key as a header', async () => {
    const { code, out, err } = await type(chatWords())

    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Hello there') })
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^conversation [0-9a-f-]{36}, credits used [\d.]+, remaining [\d.]+\n$/)
    expect(header(-1, 'idempotency-key')).toBe('turn-1')
  })

  test('CLI-CHAT-OPTIONS: --conversation-id goes on with a conversation, and --stream asks for a stream', async () => {
    const first = JSON.parse((await type(chatWords('plain', '--json'))).out) as { conversationId: string }
    const words = chatWords('plain', '--conversation-id', first.conversationId, '--stream')
    const { code, out } = await type(words.with(words.indexOf('turn-1'), 'turn-2'))

    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Hello there') })
    expect(body()).toMatchObject({ conversation_id: first.conversationId, stream: true })
  })

  test('CLI-JSON: --json prints the whole reply, and with --stream a line for each event', async () => {
    const reply = JSON.parse((await type(chatWords('plain', '--json'))).out) as unknown
    expect(reply).toMatchObject({ response: expect.any(String), creditsUsed: expect.any(Number) })

    const words = chatWords('tools', '--stream', '--json')
    const { out } = await type(words.with(words.indexOf('turn-1'), 'turn-2'))
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string })
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['action_start', 'action_complete', 'token', 'done']),
    )
    expect(events.at(-1)).toMatchObject({ type: 'done', conversationId: expect.any(String) })
    expect(events.find(({ type }) => type === 'action_start')).toHaveProperty('actionName')
  })

  test('CLI-INTERACTION: --interaction sends the selection as it was copied', async () => {
    const selection = { type: 'workflow_button', runId: 'r', nodeId: 7, payload: { deep: [null, 'x'] } }
    await type(chatWords('plain', '--interaction', JSON.stringify(selection)))

    expect(body()).toMatchObject({ message: 'Hello there', interaction: selection })
    expect((await type(chatWords('plain', '--interaction', '{"type": ...}'))).code).toBe(2)
    expect(sent()).toHaveLength(1)
  })

  test.each([['--version'], ['--help'], ['--base-url=http://127.0.0.1:9'], ['--profile'], ['-']])(
    'sends a message such as %s, and never takes it for an option',
    async (message) => {
      const words = chatWords()
      const { code } = await type(words.with(words.indexOf('Hello there'), message))

      expect({ code, body: body() }).toEqual({ code: 0, body: { message } })
    },
  )

  test('with --stream prints what was replayed, and says that it was', async () => {
    const first = await type(chatWords('plain', '--stream'))
    const again = await type(chatWords('plain', '--stream'))

    expect(again.out).toBe(first.out)
    expect([first.err, again.err].map((err) => err.includes('was not run again'))).toEqual([false, true])
  })

  test('of a stream that fails leaves what came, and ends with 1', async () => {
    const { code, out, err } = await type(chatWords('failing', '--stream'))

    expect({ code, out }).toEqual({ code: 1, out: 'This reply \n' })
    expect(err).toMatch(/^error: failed after 200: The model stopped answering\./)
  })

  test('while AI replies are paused says that the message was stored', async () => {
    const { code, out, err } = await type(chatWords('paused'))

    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('AI replies are paused')
  })

  test.each([
    [
      'a used key',
      (): void => tenant.markUncertain({ key: 'turn-1' }),
      /409 OUTCOME_UNCERTAIN.*never use a new key/,
    ],
    ['no credits', (): void => tenant.setCredits('main', 0), /402 INSUFFICIENT_CREDITS/],
    ['the rate', (): void => tenant.exhaustRate('main'), /429.*\(retry after \d+ s\)/],
  ])('refused for %s ends with 1 and one line that says what to do', async (_, arrange, words) => {
    arrange()
    const { code, out, err } = await type(chatWords())

    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(words)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(sent()).toHaveLength(1)
  })
})

describe('the address and the key', () => {
  test('CLI-BASE-URL: --base-url wins over SERVICE_BASE_URL, which serves without it', async () => {
    const { SERVICE_API_KEY = '' } = environment()
    const nowhere = { SERVICE_API_KEY, SERVICE_BASE_URL: 'http://127.0.0.1:9' }
    const given = await type(chatWords('plain', '--base-url', `${simulator.url}/`), { env: nowhere })
    expect([given.code, sent().length]).toEqual([0, 1])

    const unreachable = await type(chatWords(), { env: nowhere })
    expect([unreachable.code, sent().length]).toEqual([4, 1])
    expect(unreachable.err).toMatch(/got no answer.*send the same request again with the same key/)
    expect(await type(chatWords(), { env: { SERVICE_API_KEY } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('give --base-url'),
    })
  })

  test('CLI-PROFILE-WINS: a chosen profile wins over SERVICE_API_KEY', async () => {
    await login('work', 'second')
    await type(chatWords('plain', '--profile', 'work'))
    expect(usedKey()).toBe(tenant.keys.second)
  })

  test('CLI-ENV-WINS: where no profile is chosen SERVICE_API_KEY wins, also over the profile `default`', async () => {
    await login('default', 'second')
    await type(chatWords())
    expect(usedKey()).toBe(tenant.keys.main)
    await type(chatWords(), { env: {} })
    expect(usedKey()).toBe(tenant.keys.second)
  })

  test.each([
    ['chat', (): string[] => chatWords()],
    ['billing', () => ['billing', 'usage']],
    ['execute', () => ['execute', 'notes.list']],
    ['whoami', () => ['whoami']],
  ])(
    'CLI-REFUSED: %s with a key that was taken back sends one request, and tries no other key',
    async (_, words) => {
      await login('default', 'main')
      await login('work', 'second')
      const before = sent().length
      const { code, out, err } = await type(words(), { env: environment('revoked') })

      expect({ code, out, requests: sent().length - before }).toEqual({ code: 1, out: '', requests: 1 })
      expect(err).toMatch(/^error: 401/)
      expect(usedKey()).toBe(tenant.keys.revoked)
    },
  )

  test('CLI-REFUSED: a key without the permission stays refused', async () => {
    const { code, err } = await type(['billing', 'usage'], { env: environment('noBilling') })

    expect({ code, requests: sent() }).toEqual({ code: 1, requests: ['GET /api/v1/billing/usage'] })
    expect(err).toMatch(/^error: 403/)
  })
})

describe('login', () => {
  test('CLI-PROFILE-VERIFIED: saves a key only after the catalogue accepted it', async () => {
    for (const over of [{}, { read: () => Promise.resolve('sk-none-such') }]) {
      const { code, err } = await login('work', 'revoked', over)
      expect({ code, isSaved: existsSync(saved()) }).toEqual({ code: 1, isSaved: false })
      expect(err).toMatch(/^error: 401/)
    }
    const { code, out, err } = await login('work', 'main')
    expect({ code, out, sent: sent().at(-1) }).toEqual({ code: 0, out: '', sent: 'GET /api/v1/operations' })
    expect(err).toContain('accepted the key')
    expect(JSON.parse(readFileSync(saved(), 'utf8'))).toEqual({
      version: 1,
      profiles: { work: { baseUrl: simulator.url, apiKey: tenant.keys.main } },
    })
  })

  test('replaces no profile by a key that was refused, and none by one that could not be tried', async () => {
    await login('work', 'main')
    const before = readFileSync(saved(), 'utf8')

    expect((await login('work', 'revoked')).code).toBe(1)
    const away = ['login', '--profile', 'work', '--base-url', 'http://127.0.0.1:9']
    expect((await type(away, { read: () => Promise.resolve(tenant.keys.second) })).code).toBe(4)
    expect(readFileSync(saved(), 'utf8')).toBe(before)
  })

  test('never prints a key, whatever is wrong with it or with the file', async () => {
    const key = 'sk-live-never-to-be-seen'
    const words = ['login', '--profile', 'work', '--base-url', simulator.url]
    const from = join(home, 'key.txt')
    writeFileSync(from, `${key}\n`)
    const ended = await Promise.all([
      type([...words, '--key-from', key]),
      type([...words, '--key-from', `file:${from}`]),
      type([...words, key]),
      type([...words, `--api-key=${key}`]),
      type(words, { read: () => Promise.resolve(`${key} ${key}`) }),
      type(words, { hidden: () => Promise.resolve(key) }),
      type(['whoami'], { env: { ...environment(), SERVICE_API_KEY: `${key}\n` } }),
      type(['whoami'], { env: { ...environment(), SERVICE_API_KEY: key } }),
    ])

    for (const { code, out, err } of ended) {
      expect([1, 2]).toContain(code)
      expect(err).toMatch(/^error: /)
      expect(out + err).not.toContain('never-to-be-seen')
    }
  })

  test('takes the key of a variable, a file or a hidden prompt', async () => {
    const from = join(home, 'key.txt')
    writeFileSync(from, `${tenant.keys.main}\n`)
    const words = ['login', '--profile', 'work', '--base-url', simulator.url]
    const ended = await Promise.all([
      type([...words, '--key-from', 'env:SERVICE_API_KEY']),
      type([...words.with(2, 'file'), '--key-from', `file:${from}`]),
      type(words.with(2, 'typed'), { hidden: () => Promise.resolve(tenant.keys.main) }),
    ])

    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    const { profiles } = JSON.parse(readFileSync(saved(), 'utf8')) as { profiles: object }
    const profile = { baseUrl: simulator.url, apiKey: tenant.keys.main }
    expect(profiles).toEqual({ work: profile, file: profile, typed: profile })
  })

  test('and logout keep other profiles, and profiles lists them without keys', async () => {
    await login('work', 'main')
    await login('home', 'second')
    const listed = await type(['profiles'])
    expect(listed.out).toBe(`work  ${simulator.url}\nhome  ${simulator.url}\n`)
    expect((await type(['profiles', '--json'])).out).not.toContain('sk-')

    expect((await type(['logout', '--profile', 'work'])).code).toBe(0)
    expect((await type(['logout', '--profile', 'work'])).code).toBe(2)
    expect((await type(['profiles'])).out).toBe(`home  ${simulator.url}\n`)
    expect((await type(['profiles'])).err).toBe('')
  })
})

describe('whoami', () => {
  test('CLI-WHOAMI: names the source of the credential, and counts agents and operations', async () => {
    await login('work', 'other')
    const ofProfile = await type(['whoami', '--profile', 'work', '--json'])
    const ofEnvironment = await type(['whoami'])

    expect(JSON.parse(ofProfile.out)).toEqual({
      credential: { from: 'profile', profile: 'work' },
      baseUrl: simulator.url,
      agents: 1,
      operations: 23,
    })
    expect(ofEnvironment.out).toBe(
      `credential  environment variable SERVICE_API_KEY\nbase URL    ${simulator.url}\nagents      8\noperations  22\n`,
    )
  })

  test('CLI-WHOAMI: says so where agents may not be listed, and does not try', async () => {
    const { code, out } = await type(['whoami'], { env: environment('noBilling') })

    expect(code).toBe(0)
    expect(out).toMatch(/^agents +not known: .*read_agents/m)
    expect(sent()).toEqual(['GET /api/v1/operations'])
  })

  test('CLI-WHOAMI-NO-KEY: never shows the key', async () => {
    await login('work', 'main')
    const ended = await Promise.all(
      [[], ['--json'], ['--profile', 'work']].map((words) => type(['whoami', ...words])),
    )
    for (const { code, out, err } of ended) {
      expect(code).toBe(0)
      expect(out + err).not.toContain(tenant.keys.main)
      expect(out + err).not.toMatch(/sk-/)
    }
  })
})

describe('execute', () => {
  const erase = ['execute', 'customers.erase', '--input', '{"customerId": "cus_1001", "reason": "duplicate"}']
  const confirmed = [...erase, ...ofTheContract, '--confirm']
  const customer = '{"customers": [{"name": "Ida", "email": "ida@example.com"}]}'
  const imports = ['execute', 'customers.import', '--input', customer, ...ofTheContract]
  const note = (input: string): string[] => ['execute', 'notes.create', '--input', input, ...ofTheContract]

  test('a write without a key is refused in the words of the command line', async () => {
    const { code, err } = await type(['execute', 'notes.create', '--input', '{"text": "x"}'])
    expect([code, err]).toEqual([1, expect.stringContaining('(here: --idempotency-key KEY)')])
  })

  test('CLI-CONFIRM: what is destructive needs --confirm here, and stays held by the service all the same', async () => {
    const without = await type([...erase, ...ofTheContract])
    expect({ code: without.code, sent: sent() }).toEqual({ code: 2, sent: [] })
    expect(without.err).toContain('add --confirm')

    const { code, out, err } = await type(confirmed)
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ status: 'pending_approval', approval: { state: 'pending' } })
    expect(err).toContain('Held for the approval of the owner')
    expect(sent()).toEqual([
      'POST /api/v1/operation-executions/customers.erase',
      expect.stringMatching(/^GET \/api\/v1\/approvals\/appr_/),
    ])
    expect(body(0)).toEqual({ input: { customerId: 'cus_1001', reason: 'duplicate' } })
  })

  test.each([
    ['approved', 0, 'completed'],
    ['rejected', 1, 'failed'],
  ] as const)(
    'held work that was %s is told of by approvals, and by the same command again',
    async (decision, code, status) => {
      const words = [...confirmed, '--json']
      const { approval_id: id } = JSON.parse((await type(words)).out) as { approval_id: string }
      expect(await type(['approvals', id])).toMatchObject({ code: 3 })

      tenant.decide(id, decision)
      const read = await type(['approvals', id, '--json'])
      expect([read.code, JSON.parse(read.out)]).toEqual([code, expect.objectContaining({ state: decision })])
      const again = await type(words)
      expect([again.code, JSON.parse(again.out)]).toEqual([code, expect.objectContaining({ status })])
    },
  )

  test('CLI-INPUT-ONE-VALUE: --input that is not one complete JSON value is refused before anything is sent', async () => {
    for (const input of ['', '{"text": "x"', '{} {}', '{"text": "x",}', 'text: x']) {
      const { code, err } = await type(note(input))
      expect({ input, code, sent: sent() }).toEqual({ input, code: 2, sent: [] })
      expect(err).toContain('--input is not one complete JSON value')
    }
    expect((await type(note('{"text": "x"}'))).code).toBe(0)
  })

  test('CLI-INPUT-ELLIPSIS: --input with an ellipsis or spread syntax is refused, but for what stands in a text', async () => {
    for (const input of ['{"text": "x", ...}', '{"text": …}', '{...defaults}', '[...["a"]]']) {
      const { code, err } = await type(note(input))
      expect({ input, code, sent: sent() }).toEqual({ input, code: 2, sent: [] })
      expect(err).toMatch(/ellipsis|spread/)
    }
    expect((await type(note('{"text": "and so on... {...x} …"}'))).code).toBe(0)
    expect(body()).toEqual({ input: { text: 'and so on... {...x} …' } })
  })

  test.each([
    ['customers.import', customer, 0, 'completed'],
    ['orders.archive', '{"before": "2026-01-01"}', 1, 'failed'],
    ['reports.build', '{"period": "2026-10"}', 1, 'cancelled'],
  ])('%s is followed to the end of its task', async (operation, input, code, state) => {
    const { out, ...ended } = await type(['execute', operation, '--input', input, ...ofTheContract])

    expect(ended.code).toBe(code)
    expect(JSON.parse(out)).toMatchObject({ status: 'accepted', task: { state } })
    expect(sent()).toHaveLength(2)
  })

  test('what is not finished after --wait is called so, and tasks tells the rest', async () => {
    tenant.close()
    const options: TenantOptions = { tasks: { by: 'hand' } }
    tenant = simulator.createTenant(options)
    const { code, out, err } = await type([...imports, '--wait', '0'])
    const { task_id: id } = JSON.parse(out) as { task_id: string }
    expect([code, JSON.parse(out)]).toEqual([3, expect.objectContaining({ task: { id, state: 'queued' } })])
    expect(err).toContain(`service-client tasks ${id}`)
    expect((await type(['tasks', id])).code).toBe(3)

    tenant.stepTask(id, 'finish')
    const read = await type(['tasks', id, '--json'])
    expect([read.code, JSON.parse(read.out)]).toEqual([0, expect.objectContaining({ state: 'completed' })])
  })

  test.each([
    ['tasks', imports, { status: 'accepted', task_id: expect.any(String) }],
    ['approvals', confirmed, { status: 'pending_approval', approval_id: expect.any(String) }],
  ])(
    'where %s cannot be read the receipt is printed, so that somebody can go on',
    async (name, words, receipt) => {
      tenant.disturb([{ on: { method: 'GET', path: `/api/v1/${name}/` }, do: { is: 'cut', when: 'before' } }])
      const { code, out, err } = await type(words)

      expect({ code, receipt: JSON.parse(out) }).toEqual({ code: 4, receipt })
      expect(err).toContain('got no answer')
    },
  )

  test('a receipt that failed ends with 1, its code and what to do', async () => {
    const words = ['execute', 'orders.export', '--input', '{"format": "csv"}', ...ofTheContract]
    const { code, out, err } = await type(words)

    expect({ code, status: JSON.parse(out) }).toMatchObject({ code: 1, status: { status: 'failed' } })
    expect(err).toMatch(/^error: NO_ORDER_DESK: Connect an order desk/)
  })

  test('sends the same again for REQUEST_IN_PROGRESS or any other refusal only when the command is typed again', async () => {
    tenant.markRunUncertain({ key: 'turn-1' })
    const { code, err } = await type(note('{"text": "x"}'))

    expect({ code, requests: sent().length }).toEqual({ code: 1, requests: 1 })
    expect(err).toContain('OUTCOME_UNCERTAIN')
  })
})

describe('the embedded catalogue', () => {
  test('VER-EMBEDDED: is that of the newest contract, and --version tells of it', async () => {
    const { code, out } = await type(['--version'], { env: {} })
    const { contract, operations } = embeddedCatalogue

    expect(code).toBe(0)
    expect(contract).toBe(newestRevision)
    expect(out).toMatch(/^\d+\.\d+\.\d+, contract 2026-11 with 23 operations\n$/)
    expect(Object.keys(operations)).toHaveLength(23)
  })

  test('has the operations that discovery shows, with their titles, writes and what is destructive', async () => {
    const { out } = await type(['operations', '--json'], { env: environment('other') })
    const shown = JSON.parse(out) as { id: string; title: string; kind: string; destructive: boolean }[]

    expect(
      shown.map(({ id, title, kind, destructive }) => ({ id, title, write: kind === 'write', destructive })),
    ).toEqual(
      Object.entries(embeddedCatalogue.operations).map(([id, { title, write, destructive = false }]) => ({
        id,
        title,
        write,
        destructive,
      })),
    )
  })

  test('VER-NEW-OPERATION: an operation that it does not have is refused here, with the advice to upgrade', async () => {
    for (const operation of ['notes.publish', 'constructor', '../notes.list']) {
      const { code, err } = await type(['execute', operation])
      expect({ code, sent: sent() }).toEqual({ code: 2, sent: [] })
      expect(err).toContain('install a newer service-client')
    }
  })

  test('VER-NEW-OPERATION: a catalogue that is handed in says what is known, and is no permission', async () => {
    const file = join(home, 'catalogue.json')
    const operation = { title: 'Publish a note', write: true, input: {} }
    writeFileSync(file, JSON.stringify({ contract: '2031-01', operations: { 'notes.publish': operation } }))
    const other = ['--catalogue', file]

    const known = await type(['execute', 'notes.publish', ...other])
    expect({ code: known.code, sent: sent() }).toEqual({
      code: 1,
      sent: ['POST /api/v1/operation-executions/notes.publish'],
    })
    expect(known.err).toMatch(/^error: 404/)
    expect((await type(['execute', 'notes.list', ...other])).code).toBe(2)
    const listed = await type(['operations', ...other])
    expect(listed.out).toMatch(/^notes\.list +not in this package +List notes$/m)
    expect(listed.err).toBe('22 operations, 22 of them not in this package (contract 2031-01).\n')
    expect((await type(['whoami', ...other])).out).toMatch(/^agents +not known/m)
  })

  test.each([
    ['is not there', null, /cannot be read \(ENOENT\)/],
    ['is no JSON', '{', /is no JSON/],
    ['is something else', '{"operations": []}', /is none: it takes/],
    ['has a row that is none', '{"contract": "x", "operations": {"a": {"title": "A"}}}', /is none: it takes/],
  ])('a file of one that %s is told of', async (_, text, words) => {
    const file = join(home, 'catalogue.json')
    if (text !== null) writeFileSync(file, text)
    const { code, err } = await type(['operations', '--catalogue', file])

    expect({ code, sent: sent() }).toEqual({ code: 2, sent: [] })
    expect(err).toMatch(words)
  })
})

test('a service that shows what the contract leaves open in other ways is understood as well', async () => {
  tenant.setDeviations({
    readings: {
      'GAP-RECEIPT-SHAPE': 'nested',
      'GAP-RECEIPT-STATUS': 'always',
      'GAP-APPROVAL-FIELDS': 'receipt',
      'GAP-TASK-FIELDS': 'receipt',
      'GAP-DISCOVERY-SHAPE': 'bare',
      'GAP-AGENT-LISTING': 'route',
      'GAP-OPERATION-REFUSAL': 'receipt',
      'GAP-ERROR-CODE-MEMBER': 'sentence',
    },
  })
  const input = '{"customerId": "cus_1001", "reason": "law"}'
  const erase = ['execute', 'customers.erase', '--input', input, '--idempotency-key', 'erase-1', '--confirm']
  const held = await type(erase)
  const { approval } = JSON.parse(held.out) as { approval: { approval: { id: string } } }
  const { id } = approval.approval
  tenant.decide(id, 'approved')
  const input2 = '{"before": "2026-01-01"}'
  const archived = await type([
    'execute',
    'orders.archive',
    '--input',
    input2,
    '--idempotency-key',
    'archive-1',
  ])
  tenant.setCredits('main', 0)
  const poor = await type(chatWords())

  expect([held.code, (await type(['approvals', id])).code, (await type(erase)).code]).toEqual([3, 0, 0])
  expect([archived.code, JSON.parse(archived.out)]).toEqual([
    1,
    expect.objectContaining({ task: expect.objectContaining({ state: 'failed' }) }),
  ])
  expect(poor).toMatchObject({ code: 1, err: expect.stringContaining('402 INSUFFICIENT_CREDITS') })
  expect((await type(['whoami'])).out).toMatch(/^agents +not known.*\noperations +22$/m)
  expect((await type(['billing', 'usage'], { env: environment('noBilling') })).err).toMatch(/^error: 403/)
})

test.each([
  [['subscription'], { status: expect.any(String), plan: { displayName: expect.any(String) } }],
  [['usage'], { credits: { remaining: 1_000_000 } }],
  [['plans'], expect.arrayContaining([expect.objectContaining({ displayName: expect.any(String) })])],
  [
    ['invoices', '--limit', '2'],
    [expect.anything(), expect.anything()],
  ],
])('billing %j prints what it reads', async (words, shown) => {
  const { code, out } = await type(['billing', ...words])

  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject(shown)
})

test('control characters of an agent do not reach a terminal', async () => {
  const words = chatWords()
  const message = 'a\u001b]0;title\u0007b\u009b2Jc'
  const { out } = await type(words.with(words.indexOf('Hello there'), message), { terminal: true })

  // oxlint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(out).toContain('a]0;titleb2Jc')
})

describe('a real process', () => {
  const start = (words: readonly string[], env: Record<string, string> = environment()) =>
    spawn(process.execPath, [bin, ...words], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
      stdio: 'pipe',
    })

  test('saves a key from standard input for its owner alone', async () => {
    const child = start(['login', '--profile', 'work', '--base-url', simulator.url], {})
    child.stdin.end(`${tenant.keys.main}\n`)

    expect(await once(child, 'close')).toEqual([0, null])
    expect(statSync(saved()).mode & 0o777).toBe(0o600)
    expect(statSync(join(saved(), '..')).mode & 0o777).toBe(0o700)
  })

  // The one of util-linux, which is on every Debian: it gives a command a terminal of its own.
  test.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')(
    'asks for the key at a terminal, and does not show it',
    async () => {
      const words = `${process.execPath} ${bin} login --profile work --base-url ${simulator.url}`
      const child = spawn('/usr/bin/script', ['-qec', words, '/dev/null'], { env: { HOME: home } })
      const closed = once(child, 'close')
      let shown = ''
      const asked = new Promise<void>((resolve) => {
        child.stdout.on('data', (bytes: Buffer) => {
          shown += bytes.toString()
          if (shown.includes('API key: ')) resolve()
        })
      })
      await Promise.race([asked, closed])
      child.stdin.write(`${tenant.keys.main}\r`)

      expect(await closed).toEqual([0, null])
      expect(shown).toContain('accepted the key')
      expect(shown).not.toContain(tenant.keys.main)
      expect(readFileSync(saved(), 'utf8')).toContain(tenant.keys.main)
    },
  )

  test.skipIf(!existsSync('/proc/self/cmdline'))('never has the key among its words', async () => {
    const barrier = tenant.barriers.hold({ at: 'after-token:1' })
    const child = start(chatWords('plain', '--stream'))
    await once(child.stdout, 'data')
    const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    barrier.release()

    expect(await once(child, 'close')).toEqual([0, null])
    expect(words).toContain('--idempotency-key turn-1')
    expect(words).not.toContain(tenant.keys.main)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends a stream at %s with %i, and says that the turn may go on', async (signal, code) => {
    const barrier = tenant.barriers.hold({ at: 'after-token:1' })
    const child = start(chatWords('plain', '--stream'))
    const closed = once(child, 'close')
    let err = ''
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
    await once(child.stdout, 'data')
    child.kill(signal)

    expect(await closed).toEqual([code, null])
    expect(err).toBe('stopped: the turn may go on. The same command with the same key gives its reply.\n')
    barrier.release()
  })

  test('outlives a reader that has seen enough', async () => {
    const words = [process.execPath, bin, 'operations', '--json'].map((word) => `'${word}'`).join(' ')
    const { stdout } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', `${words} | head -c 1`], {
      env: { ...process.env, ...environment() },
    })
    expect(stdout).toBe('[')
  })
})

test('each clause of the command line has a test that is named after it', () => {
  const names = readFileSync(import.meta.filename, 'utf8')
  const ids = [...Object.keys(areas['command-line']), 'VER-EMBEDDED', 'VER-NEW-OPERATION']

  expect(ids.filter((id) => !names.includes(`'${id}: `))).toEqual([])
})
