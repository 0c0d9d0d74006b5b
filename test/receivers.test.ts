/** The judge of receivers, held against two receivers that are right and many that are not quite. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { runReceiver, type ReceiverRunOptions } from '../suites/receivers/run.ts'
import { receiverAt, type Subject } from '../suites/receivers/subject.ts'
import type { RunRecord } from '../suites/record.ts'
import { realClock, type Clock } from '../suites/wire/clock.ts'

const secret = 'whsec_0123456789abcdef'
const examples = fileURLToPath(new URL('../examples/receivers/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'touchstone-receivers-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a receiver at any free port. */
async function start(program: string, file: string): Promise<Subject> {
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', EFFECTS: '1' }
  const child = spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with exit code ${code} instead of listening`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  // From here on it may end.
  ended.catch(() => {})
  const origin = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`
  return receiverAt(`${origin}/webhooks`, secret, {
    events: ['leads.submit', 'booking.created'],
    effects: `${origin}/effects/{id}`,
  })
}

async function judged(subject: Subject, options: Partial<ReceiverRunOptions> = {}): Promise<RunRecord> {
  const { record } = await runReceiver(subject, { seed: 1, ...options })
  return record
}

/** Clauses that did not pass, each with the worst that was said of it. */
function against({ findings }: RunRecord): Record<string, string> {
  const said = (verdict: string) => findings.filter((finding) => finding.verdict === verdict)
  const order = ['inconclusive', 'not-exercised', 'warn', 'error', 'fail']
  return Object.fromEntries(
    order.flatMap((verdict) => said(verdict).map(({ subject }) => [subject, verdict])),
  )
}

const python = spawnSync('python3', ['--version']).status === 0

describe.concurrent('a receiver of the examples conforms:', () => {
  test('node-http.mjs', async ({ expect }) => {
    const record = await judged(await start(process.execPath, join(examples, 'node-http.mjs')))
    expect([against(record), record.conformance, record.exitCode]).toEqual([{}, 'conformant', 0])
  })

  test('python_stdlib.py', async ({ expect, skip }) => {
    skip(!python, 'there is no python3 here')
    const record = await judged(await start('python3', join(examples, 'python_stdlib.py')))
    expect([against(record), record.conformance, record.exitCode]).toEqual([{}, 'conformant', 0])
  })
})

const right = readFileSync(join(examples, 'node-http.mjs'), 'utf8')

type Patch = readonly [from: string, to: string]

/** The right receiver with some places changed. A place that is not there, or there twice, is an error of this test. */
function patched(patches: readonly Patch[]): string {
  return patches.reduce((source, [from, to]) => {
    const times = source.split(from).length - 1
    if (times !== 1)
      throw new Error(`${JSON.stringify(from)} stands ${times} times in node-http.mjs, not once`)
    return source.replace(from, () => to)
  }, right)
}

async function startPatched(name: string, ...patches: readonly Patch[]): Promise<Subject> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`)
  writeFileSync(file, patched(patches))
  return start(process.execPath, file)
}

const comparison = 'return got.length === expected.length && timingSafeEqual(got, expected)'
const refusal = "if (!isGenuine(body, request.headers['x-service-signature'])) return end(response, 401)"
const processing = 'if (isNew(id, Date.now())) setImmediate(work, id, body)'
const digest = ".update(body).digest('hex')"
const forgeries = {
  'RECV-CHANGED-BODY': 'fail',
  'RECV-WRONG-SECRET': 'fail',
  'RECV-UNSIGNED': 'fail',
  'RECV-MALFORMED': 'fail',
  'RECV-RESERIALIZED': 'fail',
}
const warned = Object.fromEntries(Object.keys(forgeries).map((clause) => [clause, 'warn']))
const short = { 'RECV-UNSIGNED': 'fail', 'RECV-MALFORMED': 'fail' }

const broken: Readonly<
  Record<string, { patches: readonly Patch[]; found: Readonly<Record<string, string>> }>
> = {
  'compares in constant time without a look at the lengths': {
    patches: [[comparison, 'return timingSafeEqual(got, expected)']],
    found: { 'RECV-UNSIGNED': 'warn', 'RECV-MALFORMED': 'warn', 'RECV-401': 'warn' },
  },
  'looks at the length of texts and compares bytes': {
    patches: [[comparison, 'return given.length === 71 && timingSafeEqual(Buffer.from(given), expected)']],
    found: { 'RECV-MALFORMED': 'warn' },
  },
  'signs what it has parsed': {
    patches: [[digest, ".update(JSON.stringify(JSON.parse(body))).digest('hex')"]],
    found: { 'RECV-RAW': 'fail', 'RECV-RESERIALIZED': 'fail', 'RECV-CHANGED-BODY': 'fail' },
  },
  'reads the body as Latin-1': {
    patches: [[digest, ".update(body.toString('latin1')).digest('hex')"]],
    found: { 'RECV-GENUINE': 'fail', 'RECV-RAW': 'fail' },
  },
  'decodes each read by itself': {
    patches: [
      ['chunks.push(chunk)', 'chunks.push(chunk.toString())'],
      ['Buffer.concat(chunks)', "Buffer.from(chunks.join(''))"],
    ],
    found: { 'RECV-GENUINE': 'fail' },
  },
  'drops a line end': {
    patches: [[digest, ".update(body.toString().trim()).digest('hex')"]],
    found: { 'RECV-RAW': 'fail', 'RECV-CHANGED-BODY': 'fail' },
  },
  'compares as much as there is': {
    patches: [
      [
        comparison,
        'const n = Math.min(got.length, 71)\n  return timingSafeEqual(got.subarray(0, n), expected.subarray(0, n))',
      ],
    ],
    found: short,
  },
  'decodes the digits and compares as much as there is': {
    patches: [
      [
        comparison,
        "const a = Buffer.from(given.slice(7), 'hex')\n  return a.equals(Buffer.from(String(expected).slice(7), 'hex').subarray(0, a.length))",
      ],
    ],
    found: short,
  },
  'asks whether the true one begins so': {
    patches: [[comparison, 'return String(expected).startsWith(String(got))']],
    found: short,
  },
  'looks for the digest anywhere': {
    patches: [[comparison, 'return String(got).includes(String(expected).slice(7))']],
    found: { 'RECV-MALFORMED': 'fail' },
  },
  'lets through what is not signed': {
    patches: [[comparison, `if (given === '') return true\n  ${comparison}`]],
    found: { 'RECV-UNSIGNED': 'fail' },
  },
  'falls back to no secret': {
    patches: [
      [
        comparison,
        "const bare = Buffer.from(`sha256=${createHmac('sha256', '').update(body).digest('hex')}`)\n  return got.equals(expected) || got.equals(bare)",
      ],
    ],
    found: { 'RECV-WRONG-SECRET': 'fail' },
  },
  'accepts anything': { patches: [[refusal, '']], found: forgeries },
  'does the work and then looks': {
    patches: [
      [refusal, `setImmediate(work, request.headers['x-service-delivery-id'], body)\n  ${refusal}`],
      [processing, 'isNew(id, Date.now())'],
    ],
    found: {
      'RECV-CHANGED-BODY': 'fail',
      'RECV-UNSIGNED': 'fail',
      'RECV-DUPLICATE': 'fail',
      'RECV-DUPLICATE-RACE': 'fail',
    },
  },
  'answers a mismatch with 500': {
    patches: [[refusal, refusal.replace('401', '500')]],
    found: { ...warned, 'RECV-401': 'warn' },
  },
  'answers a mismatch with 403': {
    patches: [[refusal, refusal.replace('401', '403')]],
    found: { 'RECV-401': 'warn' },
  },
  'drops the connection at a mismatch': {
    patches: [[refusal, refusal.replace('end(response, 401)', 'request.socket.destroy()')]],
    found: { ...warned, 'RECV-401': 'warn' },
  },
  'forgets what it has seen': {
    patches: [['seen.set(id, now)', '']],
    found: { 'RECV-DUPLICATE': 'fail', 'RECV-DUPLICATE-RACE': 'fail' },
  },
  'remembers ids before it looks at the signature': {
    patches: [
      [refusal, `const fresh = isNew(request.headers['x-service-delivery-id'], Date.now())\n  ${refusal}`],
      [processing, 'if (fresh) setImmediate(work, id, body)'],
    ],
    found: { 'RECV-UNSIGNED': 'warn' },
  },
  'remembers only after a wait': {
    patches: [
      [
        processing,
        'if (!seen.has(id)) {\n    await new Promise((resolve) => setTimeout(resolve, 20))\n    seen.set(id, Date.now())\n    setImmediate(work, id, body)\n  }',
      ],
    ],
    found: { 'RECV-DUPLICATE-RACE': 'fail' },
  },
  'refuses what comes again': {
    patches: [[processing, `if (seen.has(id)) return end(response, 409)\n  ${processing}`]],
    found: { 'RECV-DUPLICATE-2XX': 'fail' },
  },
  'takes names of headers as written': {
    patches: [
      [
        refusal,
        refusal.replace(
          "request.headers['x-service-signature']",
          "request.rawHeaders[request.rawHeaders.indexOf('x-service-signature') + 1]",
        ),
      ],
    ],
    // Of two values it sees the first.
    found: { 'RECV-HEADER-CASE': 'fail', 'RECV-MALFORMED': 'warn' },
  },
  'refuses events that it does not know': {
    patches: [
      [refusal, `${refusal}\n  if (!/"(leads|booking)/.test(String(body))) return end(response, 422)`],
    ],
    found: { 'RECV-OPEN': 'warn' },
  },
  'takes no more than 100 kB': {
    patches: [['2 * 1024 * 1024', '100_000']],
    found: { 'RECV-GENUINE': 'warn' },
  },
}

describe.concurrent('a receiver is found out that', () => {
  test.for(Object.entries(broken))('%s', async ([name, { patches, found }], { expect }) => {
    const record = await judged(await startPatched(name, ...patches))
    expect(against(record)).toEqual(found)
    const fails = Object.values(found).includes('fail')
    expect(record.conformance === 'nonconformant').toBe(fails)
  })

  test('ends when it is sent a forged signature, which is told of its genuine deliveries', async ({
    expect,
  }) => {
    const record = await judged(
      await startPatched(
        'ends',
        [comparison, 'return timingSafeEqual(got, expected)'],
        ['console.error(error.message)\n    if', 'process.exit(1)\n    if'],
      ),
      { only: ['receiver-forged/malformed'] },
    )
    expect(against(record)).toMatchObject({ 'RECV-GENUINE': 'fail', 'RECV-MALFORMED': 'warn' })
    expect([record.conformance, record.exitCode]).toEqual(['nonconformant', 1])
  })

  test('takes longer than ten seconds, here on a clock that is twenty times as fast', async ({ expect }) => {
    const real = realClock()
    const fast: Clock = {
      now: () => real.now() * 20,
      sleep: (ms, signal) => real.sleep(ms / 20, signal),
      wall: () => real.wall(),
    }
    const slow = 'await new Promise((resolve) => setTimeout(resolve, 600))'
    const subject = await startPatched('slow', [refusal, `${slow}\n  ${refusal}`])
    const only = ['RECV-QUICK']
    const late = await judged({ ...subject, answerTimeoutMs: 200_000 }, { clock: fast, only })
    expect(late.findings).toMatchObject([{ verdict: 'warn', got: expect.stringMatching(/^\d+\.\d s$/) }])
    const never = await judged({ ...subject, answerTimeoutMs: 11_000 }, { clock: fast, only })
    expect(never.findings).toMatchObject([
      { verdict: 'warn', got: expect.stringMatching(/^none in \d+\.\d s$/) },
    ])
  })
})

describe.concurrent('what cannot be told is no pass:', () => {
  test('with another secret nothing else is concluded', async ({ expect }) => {
    const subject = await startPatched('another-secret')
    const record = await judged({ ...subject, secret: 'whsec_another_one' })
    const { 'RECV-GENUINE': genuine, ...others } = against(record)
    expect(genuine).toBe('fail')
    expect(new Set(Object.values(others))).toEqual(new Set(['inconclusive']))
    expect(record.gate.because[0]).toContain('check that --secret is the secret')
    expect(record.used.requests).toBeLessThan(4)
  })

  test('without effects duplicates are not exercised, and it is partial', async ({ expect }) => {
    const subject = await startPatched('no-effects')
    const record = await judged({ ...subject, effects: null })
    expect(against(record)).toEqual({
      'RECV-CHANGED-BODY': 'not-exercised',
      'RECV-UNSIGNED': 'not-exercised',
      'RECV-DUPLICATE': 'not-exercised',
      'RECV-DUPLICATE-RACE': 'not-exercised',
    })
    expect([record.conformance, record.exitCode]).toEqual(['partial', 3])
  })

  test.for([
    ['is no number', "'many'"],
    ['stays at zero', "'0'"],
  ] as const)('an effect that %s', async ([, answer], { expect }) => {
    const counted = 'String(effects.get(decodeURIComponent(pathname.slice(9))) ?? 0)'
    const subject = await startPatched(`effects-${answer}`, [counted, answer])
    const only = ['receiver-duplicates/processed', 'receiver-duplicates/two']
    const record = await judged({ ...subject, effectsWaitMs: 200 }, { only })
    expect(record.findings.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive'])
  })

  test('nobody listens', async ({ expect }) => {
    const subject = await startPatched('nobody')
    await expect(judged({ ...subject, url: 'http://127.0.0.1:1/webhooks' })).rejects.toThrow(
      /nothing answers at http:\/\/127\.0\.0\.1:1\/webhooks \(refused/,
    )
  })
})

test('a patch whose place is gone is an error, and not a receiver that is right', () => {
  expect(() => patched([['no such place', '']])).toThrow(/stands 0 times/)
})
