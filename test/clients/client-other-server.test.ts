/** `service-client`, and the library below it, against a server that is not ours, with a dialect and its own word. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, type Captured } from '../../client/command-line/process.testkit.ts'
import type { Target } from '../../suites/index.ts'
import { hasPython, startOtherServer, type OtherServer } from '../other-server/start.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const read = { title: 'Read', write: false, input: {} }
const write = { title: 'Write', write: true, input: {} }
const operations = {
  larder: read,
  'guest book/read': read,
  'guest book/sign': write,
  'bread & butter': write,
  'roast?carve': write,
  'guests~evict': { ...write, destructive: true },
  '9': read,
}
const dialect = resolve(import.meta.dirname, '../other-server/client-dialect.yaml')

let server: OtherServer
const home = temporaryFolder()
const profile = ['--profile', 'other'] as const

const type = (...words: string[]): Promise<Captured> => run(words, { home })
const execute = (id: string, input: object, key: string, ...more: string[]): Promise<Captured> =>
  type('execute', id, '--input', JSON.stringify(input), '--idempotency-key', key, ...profile, ...more)
const printed = ({ out, err }: Captured): Record<string, unknown> => {
  expect(out, err).not.toBe('')
  return JSON.parse(out) as Record<string, unknown>
}
const inHome = (name: string, text: string): string => {
  writeFileSync(join(home, name), text)
  return join(home, name)
}

/** The owner decides, by the control protocol. */
async function decide(approvalId: number, decision: 'approved' | 'rejected'): Promise<void> {
  const { url, token } = server.target.control as NonNullable<Target['control']>
  const { status } = await fetch(`${url}/states/approval.${decision}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ approvalId: String(approvalId) }),
  })
  expect(status).toBe(201)
}

/** Its own word; the folder stays, so that no later command has to name the word. */
const word = (): string[] => [
  '--vendor',
  server.target.vendor ?? '',
  '--identifier',
  'profileFolder=service-client',
]

const login = (...more: string[]): Promise<Captured> =>
  run(['login', ...profile, '--base-url', server.target.baseUrl, ...word(), ...more], {
    home,
    read: () => Promise.resolve(server.target.principals[0]?.bearer ?? ''),
  })

describe.skipIf(!hasPython)('a server with other choices', () => {
  beforeAll(async () => {
    server = await startOtherServer()
  })
  afterAll(() => {
    server.stop()
  })

  test('says without a dialect what to hand in, and accepts the key with one', async () => {
    expect(await login()).toMatchObject({
      code: 4,
      err: expect.stringMatching(/Say in `dialect\.discovery\.list`.*\(here: --dialect FILE\)/),
    })
    const catalogue = inHome('catalogue.json', JSON.stringify({ contract: 'theirs', operations }))
    const { code, err } = await login('--dialect', dialect, '--catalogue', catalogue)
    expect([code, err]).toEqual([0, expect.stringMatching(/accepted the key, which reaches 16 operations/)])
    // What was saved is what counts from here on: no file is needed any more.
    rmSync(catalogue)
    expect(readFileSync(join(home, '.config/service-client/profiles.json'), 'utf8')).toContain('X-Deed')
  })

  test('a write is done once under its key, and a read shows it', async () => {
    const line = { line: 'It was cold here.' }
    const first = printed(await execute('guest book/sign', line, 'sign-1', '--json'))
    expect(first).toEqual({ data: { page: 1 }, status: 'completed' })
    expect(printed(await execute('guest book/sign', line, 'sign-1', '--json'))).toEqual(first)
    const shown = await type('execute', 'guest book/read', ...profile, '--json')
    expect(printed(shown)).toMatchObject({ data: { lines: [line] } })
    expect(await type('execute', '9', ...profile)).toMatchObject({
      code: 1,
      err: expect.stringContaining('TILL_EMPTY: Fill the till'),
    })
  })

  const keys = (name: string): string[] => ['--prepare-key', `${name}-1`, '--finalize-key', `${name}-2`]
  const larder = async (): Promise<unknown> =>
    printed(await type('execute', 'larder', ...profile, '--json'))['data']

  test('a document goes up in two requests, once it was approved', async () => {
    const words = [
      'upload',
      'document',
      inHome('faq.txt', 'Warm water.'),
      ...keys('faq'),
      ...profile,
      '--json',
    ]
    const held = await type(...words)
    expect(held.code).toBe(3)
    await decide((printed(held) as { asks: { question: number } }).asks.question, 'approved')
    for (let times = 0; times < 2; times++)
      expect(printed(await type(...words))).toEqual({ data: { bytes: 11 }, status: 'completed' })
    expect(await larder()).toMatchObject({ papers: 1 })
  })

  test('a spreadsheet goes up in two requests, or in one', async () => {
    const sheet = inHome('a.csv', 'name,price\n')
    const two = await type('upload', 'spreadsheet', sheet, ...keys('a'), ...profile, '--wait', '0')
    expect(two.code).toBe(3)
    const finalize = {
      path: '/api/v1/drop/whole-sheets',
      bytes: '',
      keyHeader: 'X-Second-Key',
      otherKeyHeader: 'X-First-Key',
    }
    const uploads = { spreadsheet: { finalize } }
    const whole = JSON.stringify({ uploads, ...Object.fromEntries(rest) })
    const atOnce = ['--dialect', inHome('one.json', whole)]
    const one = await type('upload', 'spreadsheet', sheet, ...keys('b'), ...profile, ...atOnce)
    expect(one).toMatchObject({ code: 0, err: expect.stringContaining('is completed') })
    expect(await larder()).toEqual({ papers: 1, sheets: [11, 11] })
  })

  const rest: readonly [string, object][] = [
    ['receipt', { taskId: '/work/ticket/number' }],
    ['task', { state: '/ticket/state' }],
  ]
})
