import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { bundleFiles } from '../../bundle/names.ts'
import { reportFiles } from '../../reports/index.ts'
import { run, testIo } from '../process.testkit.ts'
import { main } from '../main.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
let count = 0

const fresh = (): string => join(root, `out-${++count}`)
const few = ['--only', 'auth/*', '--seed', '7']

const runFiles = bundleFiles.filter(
  (file) => !['changes.json', 'receiver.log', 'statement.dsse.json'].includes(file),
)
const files = [...runFiles, ...reportFiles].toSorted().join(' ')

const someKey = { env: { KEY: 'sk-nobody-has-this' } }

function elsewhere(baseUrl: string): string[] {
  return ['check', '--base-url', baseUrl, '--api-key', 'env:KEY', '--agent', 'a1']
}

function recordIn(folder: string): RunRecord {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord
}

describe('touchstone check simulator', () => {
  it('writes every file of the bundle and says where they are', async () => {
    const out = fresh()
    const { code, out: text } = await run(['check', 'simulator', ...few, '--out', out])
    const record = recordIn(out)

    expect(code).toBe(record.exitCode)
    expect(readdirSync(out).toSorted().join(' ')).toBe(files)
    expect(text).toContain(`· report: ${out}/report.html\n`)
    expect(text).toMatch(/\n\d+ passed, 0 failed, \d+ skipped.*\n[✓–] .* · report: \S+\n$/)
    expect(record.run.seed).toBe(7)
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toMatchObject({
      plan: record.plan,
      run: { id: record.run.id, seed: 7 },
    })
  })

  it('finds a fault of the simulator and shows how to ask again', async () => {
    const out = fresh()
    const { code, out: text } = await run([
      'check',
      'simulator',
      ...few,
      '--fault',
      'empty-key-crashes',
      '--out',
      out,
    ])

    expect(code).toBe(1)
    expect(text).toMatch(/^✗ nonconformant/)
    expect(text).toMatch(
      /✗ AUTH-EMPTY {2}MUST, failed 2 of 2\n(.*\n)+? {2}expected {2}status 401\n {2}actual {4}status 500\n/,
    )
    expect(text).toMatch(/\n {2}curl {6}curl -sS .*/)
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain(
      '<failure message="failed 2 of 2: expected status 401',
    )
  })

  it('prints annotations for GitHub Actions, and for nobody else', async () => {
    const argv = ['check', 'simulator', ...few, '--fault', 'empty-key-crashes', '--out', fresh()]
    const result = await run(argv, { env: { GITHUB_ACTIONS: 'true' } })

    expect(result.out).toMatch(/^::error title=AUTH-EMPTY::.*status 401/)
    expect(result.out).toMatch(
      /\n\d+ passed, 1 failed, \d+ skipped.*\n✗ .* · gate failed \(exit 1\): 1 failure · report: \S+\n$/,
    )
    expect((await run(argv)).out).not.toContain('::error')
  })

  it('stops at a signal, and writes a record that says so', async () => {
    const out = fresh()
    const io = testIo()
    io.stop()
    const code = await main(['check', 'simulator', ...few, '--out', out], io)

    expect(recordIn(out)).toMatchObject({ run: { lifecycle: 'interrupted' }, gate: { passed: false } })
    expect(code).not.toBe(0)
    expect(io.printed.out).toContain('! Interrupted: The run was ended early')
  })

  it('replaces the last report, and keeps that one beside it', async () => {
    const out = fresh()
    const runs = []
    for (let count = 0; count < 3; count++) {
      await run(['check', 'simulator', ...few, '--out', out])
      runs.push(recordIn(out).run.id)
    }

    expect([`${out}.previous`, out].map((folder) => recordIn(folder).run.id)).toEqual(runs.slice(1))
    expect(existsSync(`${out}.running`)).toBe(false)
  })

  it.for([
    [2, 'a typo in --only', 'idempotncy*', ['check', 'simulator', '--only', 'idempotncy*']],
    [4, 'an unreachable URL', 'nothing answers at http://127.0.0.1:9', elsewhere('http://127.0.0.1:9')],
    [4, 'an unreachable receiver', 'nothing', ['receiver', 'http://127.0.0.1:9', '--secret', 'env:KEY']],
  ] as const)('exits with %i for %s, and leaves the last report', async ([expected, , words, argv]) => {
    const out = fresh()
    await run(['check', 'simulator', ...few, '--out', out])
    const before = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
    const { code, err } = await run([...argv, '--quiet', '--out', out], someKey)

    expect([code, err]).toEqual([expected, expect.stringMatching(/^error: .*\n$/)])
    expect(err).toContain(words)
    expect(readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))).toEqual(before)
    expect(readdirSync(root).filter((name) => name.startsWith(`${basename(out)}.`))).toEqual([])
  })
})

it.each([
  ['all', []],
  ['checks without chat', ['--only', 'OPS-*']],
])(
  'touchstone check --base-url prints nothing but one line for a key that is refused, and leaves no report: %s',
  async (_, only) => {
    const simulator = await createSimulator({})
    const out = fresh()
    const {
      code,
      err,
      out: text,
    } = await run([...elsewhere(simulator.url), ...only, '--out', out], { env: { KEY: 'short' } })
    await simulator.close()

    expect([code, text]).toEqual([2, ''])
    expect(err).toBe('error: the API key was refused (401) before the first check: check --api-key env:KEY\n')
    expect(existsSync(out)).toBe(false)
  },
)
