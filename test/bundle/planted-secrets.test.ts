import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, type Captured } from '../../cli/process.testkit.ts'
import { createSimulator } from '../../simulator/index.ts'
import { createParrot, withKey } from './parrot.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()

/** Every file below a folder, by its path there. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths.map((path) => join(folder, path)).filter((path) => statSync(path).isFile())
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]))
}

/** what can be decoded from a text: the texts of its JSON, joined streams, and encodings. */
function everyDecoding(text: string, depth = 0): readonly string[] {
  if (depth > 6) return []
  const inner = [...jsonIn(text), streamIn(text), ...decodings(text)]
  return [text, ...new Set(inner.filter((one) => one !== '' && one !== text))].flatMap((one, at) =>
    at === 0 ? [one] : everyDecoding(one, depth + 1),
  )
}

function jsonIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const value = parsed(line)
    return value === undefined ? [] : texts(value)
  })
}

function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of a list of chunks also what they are together. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value)
  const bodies = within.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'body' in one && typeof one.body === 'string' ? one.body : '',
  )
  return [...Object.keys(value), ...within.flatMap(texts), bodies.join('')]
}

function streamIn(text: string): string {
  const events = Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = '']) => parsed(data))
  return events
    .map((event) =>
      typeof event === 'object' && event !== null && 'token' in event ? String(event.token) : '',
    )
    .join('')
}

function decodings(text: string): readonly string[] {
  const plain = text
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const packed = text.match(/[\w+/-]{16,}/g) ?? []
  return [
    plain,
    packed.map((one) => Buffer.from(one, 'base64').toString('latin1')).join('\n'),
    packed.map((one) => Buffer.from(one, 'hex').toString('latin1')).join('\n'),
  ]
}

/** Files, by name, that have one of these in them, in their name or in any reading of their content. */
function having(files: ReadonlyMap<string, string>, secrets: readonly string[]): readonly string[] {
  const has = (text: string): boolean => secrets.some((secret) => text.includes(secret))
  return [...files].flatMap(([file, text]) => (has(file) || everyDecoding(text).some(has) ? [file] : []))
}

/** More requests than the default of 45 a minute, for which a run waits, and fewer than the 60 of the contract. */
const quick = { TOUCHSTONE_BUDGETS__REQUESTS_PER_MINUTE: '58' }

/** Starts a simulator behind a proxy that echoes the key, and passes on the arguments that check it. */
async function withParrot<T>(
  aside: ((key: string) => string) | undefined,
  ids: readonly string[],
  use: (argv: readonly string[], key: string) => Promise<T>,
): Promise<T> {
  const simulator = await createSimulator()
  const { keys, agents } = simulator.tenant
  const parrot = await createParrot(simulator.url, aside)
  const only = ids.flatMap((one) => ['--only', one])
  const place = ['--base-url', parrot.url, '--api-key', 'env:KEY', '--agent', agents.plain]
  try {
    return await use(['check', ...place, ...only, '--seed', '1'], keys.main)
  } finally {
    await parrot.close()
    await simulator.close()
  }
}

test('what is planted here is found where it is not redacted', () => {
  const key = 'sk-one-Two-3333'
  const event = (token: string): string => `data: ${JSON.stringify({ type: 'token', token })}\n\n`
  const body = JSON.parse(withKey('{}', key)) as { you_said: Record<string, string>; escaped: string }
  const planted = [...Object.values(body.you_said), withKey(event('Hi'), key), JSON.stringify(body.escaped)]

  const files = planted.map((text, i) => [`${i}`, JSON.stringify({ chunks: [{ body: text }] })] as const)
  expect(having(new Map([...files, ['none', 'sk-one-Two-333']]), [key])).toEqual(files.map(([name]) => name))
})

describe('a service that gives back the key it was sent, in every way', () => {
  let key: string
  let out: string
  let checked: Captured
  let again: Captured

  beforeAll(async () => {
    out = join(root, 'parrot')
    checked = await withParrot(undefined, ['AUTH-*', 'RES-*', 'SSE-DONE*', 'SSE-TOKEN*'], (argv, sent) => {
      key = sent
      return run([...argv, '--out', out], { env: { KEY: sent, ...quick } })
    })
    again = await run(['verify', '--rejudge', out])
  })

  test('it is in no file, in any encoding, and in nothing that is printed', () => {
    const files = filesIn(out)
    expect([...files.keys()]).toContain('report.html')
    expect(having(files, [key])).toEqual([])
    expect(
      having(
        new Map([
          ['out', checked.out],
          ['err', checked.err],
        ]),
        [key],
      ),
    ).toEqual([])
  })

  test('its token stands where it was', () => {
    const files = filesIn(out)
    for (const file of ['journal.ndjson', 'exchanges.har', 'report.html'])
      expect(files.get(file)).toMatch(/\[\[key:main:[\da-f]{8}\]\]/)
  })

  test('the run is judged again as it was', async () => {
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toMatch(/✓ verdicts +\d+ verdicts recomputed from the journal: same[;\n]/)
  })
})

test('a body with the key in base64 of base64 is withheld, and the run goes on', async () => {
  const out = join(root, 'withheld-body')
  const twice = (key: string): string =>
    Buffer.from(Buffer.from(`me:${key}`).toString('base64')).toString('base64')
  const [checked, key] = await withParrot(twice, ['AUTH-*', 'RES-*'], async (argv, sent) => [
    await run([...argv, '--out', out], { env: { KEY: sent, ...quick } }),
    sent,
  ])

  // No verdict rests on a stream in which the key comes token by token.
  expect(checked.code).toBe(3)
  expect(checked.out).toContain(' 0 failed')
  const files = filesIn(out)
  expect(files.get('journal.ndjson')).toContain('"[[withheld: it contains')
  expect(having(files, [key, Buffer.from(key).toString('base64').slice(0, -4)])).toEqual([])
})

describe('secrets of webhooks that a service repeats', () => {
  const reporting = ['log-shows-secret', 'preview-whole', 'update-shows-secret', 'secret-in-list-elsewhere']
  /** A run and what comes of judging it again, with the files that say a secret. */
  async function reported(name: string, ...options: readonly string[]) {
    const out = join(root, name)
    const only = ['management/life', 'delivery/*', 'log/*', 'rules/webhooks/*'].flatMap((one) => [
      '--only',
      one,
    ])
    const faults = reporting.flatMap((one) => ['--fault', one])
    const argv = ['check', 'simulator', ...only, ...faults, ...options, '--seed', '1', '--out', out]
    const checked = await run(argv)
    const again = await run(['verify', '--rejudge', out])
    const files = filesIn(out)
    return { checked, again, journal: files.get('journal.ndjson'), saying: having(files, ['whsec_']) }
  }

  test('stand nowhere, and all is judged again', async () => {
    const { checked, again, journal, saying } = await reported('withheld')
    expect(checked.code).toBe(1)
    expect(checked.out).toContain('HOOK-LIST-NO-SECRET')
    expect(journal).toContain('[[webhook-secret:1:')
    expect(saying).toEqual([])
    expect(again).toMatchObject({ code: 0, err: '' })
  })

  test('stand in the evidence where that was asked for, and all is judged again', async () => {
    const { checked, again, journal, saying } = await reported('disclosed', '--disclose-webhook-secrets')
    expect(checked.code).toBe(1)
    expect(journal).not.toContain('[[webhook-secret:')
    expect(saying).toContain('journal.ndjson')
    expect(again).toMatchObject({ code: 0, err: '' })
  })
})
