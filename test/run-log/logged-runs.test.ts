/** Runs that are recorded in a log: what is in it, however they ended, and what a statement says of them. */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { asEnvelope, payloadOf } from '../../reports/bundle/seal/envelope.ts'
import { withTenant } from '../../simulator/index.ts'
import { touchstoneBin } from '../bundled.ts'
import { writeVersionTarget } from '../certify/version-target.ts'

const root = mkdtempSync(join(tmpdir(), 'touchstone-logged-'))
const at = (...names: readonly string[]): string => join(root, ...names)
const log = at('runs.ndjson')
const signed = ['--sign-key', `file:${at('release.pem')}`]
const logged = [...signed, '--log', log]
const trusted = ['--key', at('release.pub.pem')]
afterAll(() => rmSync(root, { recursive: true }))

/** Of 4.2.1: a selection, a run that is killed, one that finds nothing, and the one to hand over. Of 4.2.0: one. */
beforeAll(async () => {
  for (const name of ['release', 'other']) await run(['keygen', '--out', at(`${name}.pem`)])
  for (const version of ['4.2.0', '4.2.1']) writeVersionTarget(at(`${version}.yaml`), version)
  const more = (name: string): readonly string[] => [
    '--profile',
    'smoke',
    '--quiet',
    '--out',
    at(name),
    ...logged,
  ]
  const codes = [
    await check('4.2.0', [...more('older'), ...some]),
    await check('4.2.1', [...more('some'), ...some]),
    await onTenant((env) => killed(['check', at('4.2.1.yaml'), ...logged, '--out', at('killed')], env)),
    await check('4.2.1', more('lost'), { URL: 'http://127.0.0.1:9' }),
    await check('4.2.1', more('report')),
  ]
  if (codes.join() !== '0,0,SIGKILL,4,3') throw new Error(`the runs ended with ${codes.join()}`)
})

const some = ['--only', 'idempotency-replay/*']

/** Each run has its own tenant, so that none waits for the rate limit. */
function onTenant<T>(work: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  return withTenant(({ url, keys, agents }) => work({ URL: url, KEY: keys.main, AGENT: agents.plain }))
}

/** Returns the exit code. */
function check(
  version: string,
  argv: readonly string[],
  over: Readonly<Record<string, string>> = {},
): Promise<number> {
  return onTenant(async (env) => {
    const { code, err } = await run(['check', at(`${version}.yaml`), ...argv], { env: { ...env, ...over } })
    if (code === 70) throw new Error(err)
    return code
  })
}

/** Ends the process once it has printed its plan, which it does before the first request. */
function killed(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
  const child = spawn(process.execPath, [touchstoneBin, ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (data: Buffer) => {
    printed += data.toString()
    if (printed.includes('To run:')) child.kill('SIGKILL')
  })
  return new Promise((settle) => child.on('exit', (code, signal) => settle(signal ?? `${code}: ${printed}`)))
}

test('every run is in the log, however it ended, and a killed one has a start alone', async () => {
  const verified = await run(['log', 'verify', log, ...trusted])
  const { out } = await run(['log', 'show', log, ...trusted])

  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^VERIFIED: 9 entries, signed by key id/),
  })
  expect(
    out
      .replaceAll(/(\d{4}-\S+ \S+ UTC| {2,}([\d.]+ s)? {2}\w{8}$)/gm, '')
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'acme 4.2.0: 1 run',
    'partial (selection)',
    '',
    'acme 4.2.1: 4 runs',
    'partial (selection)',
    'cut off or still running',
    'no result, exit code 4 (smoke profile)',
    'partial (smoke profile)',
    '',
  ])
})

test('runs of clients and of receivers are recorded, too', async () => {
  const own = ['--out', at('judged'), ...signed, '--log', at('judged.ndjson'), '--quiet']
  const hook = ['http://127.0.0.1:9/', '--secret', 'env:HOOK']
  const codes = [
    await run(['client', '--name', 'mine', '--only', 'LIB-CHAT', ...own, '--', process.execPath, '-e', '0']),
    await run(['receiver', ...hook, ...own], { env: { HOOK: 'a-secret-of-the-test' } }),
  ].map(({ code }) => code)
  const { out } = await run(['log', 'show', at('judged.ndjson'), ...trusted])

  expect(codes).toEqual([3, 4])
  expect(out).toMatch(
    /127\.0\.0\.1:9.*\n.* no result, exit code 4 [^]*\nmine \(no version\): 1 run\n.* partial \(selection\)/,
  )
})

const certify = (out: string, ...more: readonly string[]) =>
  run(['certify', at('report'), ...trusted, '--allow-partial', '--no-pdf', '--out', at(out), ...more])

describe('a statement', () => {
  test('says how often its version was run, and how the other runs ended', async () => {
    const { code, out, err } = await certify('one', '--log', log, ...signed)
    const page = readFileSync(at('one', 'statement.html'), 'utf8').replaceAll(/\s+/g, ' ')
    const digest = execFileSync('sh', ['-c', `tail -n 1 ${log} | tr -d '\\n' | sha256sum`])
      .toString()
      .slice(0, 64)

    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('\n4 runs in the log, 3 of them discarded\n')
    for (const words of [
      /The log has 4 runs of acme 4\.2\.1 since [-\d]{10} [:\d]{8} UTC\. This statement is about run 4; 3 were discarded:/,
      '<li>1 run: cut off or still running</li><li>1 run: no result, exit code 4 (smoke profile)</li><li>1 run: partial (selection)</li>',
      'Entries missing at its end are seen only by comparison with a head that was published elsewhere.',
      `9 entries, SHA-256 <code>${digest}</code>`,
    ])
      expect(page).toMatch(words)
    expect(page).not.toContain('cannot show whether failed runs were discarded')

    const envelope = asEnvelope(JSON.parse(readFileSync(at('one', 'test-result.dsse.json'), 'utf8')))
    if (envelope === null) throw new Error('it is no envelope')
    expect(JSON.parse(Buffer.from(payloadOf(envelope)).toString())).toMatchObject({
      predicate: {
        configuration: expect.arrayContaining([
          {
            name: 'run-log',
            annotations: {
              runs: 4,
              discarded: 3,
              discardedOutcomes: {
                'cut off or still running': 1,
                'no result, exit code 4 (smoke profile)': 1,
                'partial (selection)': 1,
              },
              later: 0,
              laterOutcomes: {},
              heads: [{ log: expect.stringMatching(/^[0-9a-f]{64}$/), entries: 9, sha256: digest }],
            },
          },
        ]),
      },
    })
  })

  test('without a log says that it does not say it', async () => {
    await certify('two')
    const page = readFileSync(at('two', 'statement.html'), 'utf8').replaceAll(/\s+/g, ' ')

    expect(page).toContain('No log of runs was given, so this does not say how often the check was repeated.')
    expect(page).toContain('cannot show whether failed runs were discarded')
  })

  const lines = (): readonly string[] => readFileSync(log, 'utf8').split(/(?<=\n)/)

  test.for<[string, () => readonly string[], number, string]>([
    [
      'from which the killed run was removed',
      () => lines().toSpliced(4, 1),
      1,
      'line 5 has number 6, and 5 is next',
    ],
    [
      'that ends before the run',
      () => lines().slice(0, 8),
      2,
      'it does not have this run as a run of acme 4.2.1',
    ],
    ['that begins after the discarded runs', () => lines().slice(7), 1, 'line 1 has number 8, and 1 is next'],
  ])('is not written with a log %s', async ([, forged, code, words]) => {
    writeFileSync(at('forged.ndjson'), forged().join(''))

    expect(await certify('none', '--log', at('forged.ndjson'))).toMatchObject({
      code,
      err: expect.stringContaining(words),
    })
    expect(existsSync(at('none'))).toBe(false)
  })

  test('is not written of a bundle that was signed again, which the log does not have', async () => {
    cpSync(at('report'), at('signed'), { recursive: true })
    await run(['report', at('signed'), '--sign-key', `file:${at('other.pem')}`])
    const argv = [
      'certify',
      at('signed'),
      '--key',
      at('other.pub.pem'),
      '--log',
      log,
      '--log-key',
      at('release.pub.pem'),
    ]

    expect(await run([...argv, '--allow-partial', '--no-pdf', '--out', at('none')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('it does not have this run'),
    })
  })
})

test('two runs at once write one log, and a folder has one for each key', async () => {
  mkdirSync(at('logs'))
  const check = (name: string, key: string) =>
    run([
      'check',
      'simulator',
      '--only',
      'idempotency-replay/*',
      '--quiet',
      '--out',
      at(name),
      '--sign-key',
      `file:${at(key)}`,
      '--log',
      at('logs'),
    ])
  const codes = await Promise.all([
    check('a', 'release.pem'),
    check('b', 'release.pem'),
    check('c', 'other.pem'),
  ])

  expect(codes.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(readdirSync(at('logs')).filter((name) => /^runs-[0-9a-f]{16}\.ndjson$/.test(name))).toHaveLength(2)
  expect(await run(['log', 'verify', at('logs'), ...trusted, '--key', at('other.pub.pem')])).toMatchObject({
    code: 0,
    out: expect.stringContaining('VERIFIED: 6 entries'),
  })
})

describe('before anything is sent, a run is refused', () => {
  test.for<[string, () => readonly string[], string]>([
    ['without a key', () => ['--log', log], '--log needs --sign-key'],
    [
      'with a log of another key',
      () => ['--log', log, '--sign-key', `file:${at('other.pem')}`],
      'was begun with another key',
    ],
    ['with a log that was altered', () => [...signed, '--log', at('altered.ndjson')], 'line 1 has number 2'],
    [
      'with a log that is a folder of something else',
      () => [...signed, '--log', at('release.pem', 'x.ndjson')],
      'cannot be written (ENOTDIR)',
    ],
    ['with a log that is no file', () => [...signed, '--log', '/dev/full'], 'cannot be written'],
    [
      'with a log among its reports',
      () => [...signed, '--log', at('out', 'x.ndjson')],
      'in the folder of the reports',
    ],
  ])('%s', async ([, argv, words]) => {
    writeFileSync(at('altered.ndjson'), readFileSync(log, 'utf8').replace(/^.*\n/, ''))
    const { code, out, err } = await run(['check', 'simulator', '--out', at('out'), ...argv()])

    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
    expect(existsSync(at('out'))).toBe(false)
  })
})

const disk = 'mount -t tmpfs -o size=16k none "$1" && (cat /dev/zero > "$1/ballast"; shift; exec "$@") 2>&1'
const mayMount = execable('unshare', ['-m', 'true'])

test.skipIf(!mayMount)('a full disk refuses a run before its first request, and leaves no log', () => {
  mkdirSync(at('disk'))
  const argv = [
    touchstoneBin,
    'check',
    'simulator',
    '--out',
    at('unsent'),
    ...signed,
    '--log',
    at('disk', 'runs.ndjson'),
  ]
  const printed = execFileSync('unshare', [
    '-m',
    'sh',
    '-c',
    `${disk}; echo "exit $?"; ls "$0"`,
    at('disk'),
    at('disk'),
    process.execPath,
    ...argv,
  ])
  expect(printed.toString()).toMatch(/cannot be written \(ENOSPC\).*Nothing was sent\.\nexit 2\nballast\n$/s)
  expect(existsSync(at('unsent'))).toBe(false)
})

function execable(program: string, argv: readonly string[]): boolean {
  try {
    execFileSync(program, argv, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
