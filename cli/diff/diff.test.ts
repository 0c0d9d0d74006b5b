import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Comparison } from '../../reports/diff/compare.ts'
import { faults } from '../../simulator/index.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const at = (name: string): string => join(root, name)
const few = ['--only', 'auth/*,idempotency-replay/*', '--quiet']

/** Runs of one part of the suite, by the folder that they are left in. */
const runs: Readonly<Record<string, readonly string[]>> = {
  plain: [...few, '--seed', '1'],
  again: [...few, '--seed', '2'],
  faulty: [...few, '--seed', '3', '--fault', 'replay-marked-yes'],
  narrow: ['--only', 'auth/*', '--quiet', '--seed', '5'],
  other: ['--only', 'billing/*', '--quiet', '--seed', '6'],
}

beforeAll(async () => {
  for (const [name, options] of Object.entries(runs))
    await run(['check', 'simulator', ...options, '--out', at(name)])
  // What a run leaves that was killed: no record, and a journal that breaks off within a line.
  const as = 'cut'
  cpSync(at('plain'), at(as), { recursive: true })
  for (const file of ['run.json', 'manifest.json', 'junit.xml', 'report.html', 'summary.md'])
    rmSync(join(at(as), file))
  const journal = join(at(as), 'journal.ndjson')
  const text = readFileSync(journal, 'utf8')
  // With the first scenario run to its end, and an incomplete line.
  writeFileSync(journal, text.slice(0, text.indexOf('\n', text.indexOf('"is":"scenario"')) + 50))
})

async function compared(before: string, after: string): Promise<{ code: number; changes: Comparison }> {
  const { code, out } = await run(['diff', at(before), at(after), '--format', 'json'])
  return { code, changes: JSON.parse(out) as Comparison }
}

const subjectsOf = ({ changes }: Comparison, kind: string): readonly string[] =>
  [...new Set(changes.flatMap((change) => (change.kind === kind ? [change.subject] : [])))].toSorted()

describe('touchstone diff', () => {
  it('finds nothing changed between two seeds', async () => {
    const { code, changes } = await compared('plain', 'again')
    expect(changes).toMatchObject({ changes: [], outcome: 'same' })
    expect(code).toBe(0)
  })

  it('finds exactly what a fault breaks, and ends with 1', async () => {
    const { code, changes } = await compared('plain', 'faulty')
    expect(subjectsOf(changes, 'regressed')).toEqual(faults['replay-marked-yes'].breaks.toSorted())
    expect(code).toBe(1)
  })

  it('says that a record was changed, as a report does', async () => {
    cpSync(at('plain'), at('changed'), { recursive: true })
    const file = join(at('changed'), 'run.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"title": "[^"]*"/, '"title": "x"'))
    const { err } = await run(['diff', at('changed'), at('plain')])
    expect(err).toMatch(/^run\.json is not as it was written: `touchstone verify .*` shows what changed\.\n/)
    expect((await run(['report', at('changed')])).out).toContain('! Changed: run.json')
    const history = await run(['report', '--format', 'history', at('plain'), at('changed')])
    expect(history.err).toBe(`${at('changed')}: ${err}`)
  })

  it('writes to a file, and its answer to the terminal', async () => {
    const file = at('changes.html')
    const argv = ['diff', at('plain'), at('faulty'), '--format', 'html']
    const { code, out, err } = await run([...argv, '--out', file])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^✗ something got worse: 2 regressed.*; \d+ as before\. Written to \S+\n$/)
    expect(readFileSync(file, 'utf8')).toBe((await run(argv)).out)
  })

  test.for<[string, () => readonly string[], RegExp]>([
    [
      'two runs without a common check',
      () => [at('plain'), at('other')],
      /cannot be compared: the two runs have no check in common\. Name two/,
    ],
    [
      'a folder that is not there',
      () => [at('nowhere'), at('plain')],
      /nowhere\/plan\.json cannot be read \(there is no such file or folder\)/,
    ],
    [
      'a file of a run',
      () => [at('plain'), at('again'), '--out', at('again/run.json')],
      /--out .*: this is a file of a run bundle; give another/,
    ],
    [
      'a file that cannot be written',
      () => [at('plain'), at('again'), '--out', at('no/such/file')],
      /--out .*: cannot be written \(there is no such file or folder\); give another/,
    ],
  ])('refuses %s in one line', async ([, argv, message]) => {
    const { code, out, err } = await run(['diff', ...argv()])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('--since', () => {
  it('reports changes briefly, in changes.json and in summary.md', async () => {
    const since = ['--since', at('plain'), '--fault', 'replay-marked-yes']
    const { code, out } = await run(['check', 'simulator', ...few, ...since, '--out', at('later')])
    const changes = JSON.parse(readFileSync(join(at('later'), 'changes.json'), 'utf8')) as Comparison

    expect(code).toBe(1)
    expect(out).toMatch(/\n✗ something got worse: 2 regressed.* as before\.\n/)
    expect(changes).toEqual((await compared('plain', 'later')).changes)
    expect(readFileSync(join(at('later'), 'summary.md'), 'utf8')).toContain('something got worse')
  })

  test.for<[string, () => readonly string[], RegExp]>([
    [
      'a run of another kind of target',
      () => ['receiver', 'http://127.0.0.1:9', '--secret', 'env:SECRET', '--since', at('plain')],
      /--since .*: that run judged a service, and this one judges a receiver\./,
    ],
  ])('refuses %s before anything is asked or written', async ([, argv, message]) => {
    const { code, err } = await run([...argv(), '--out', at('untouched')], { env: { SECRET: 'whsec_1' } })
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(existsSync(at('untouched'))).toBe(false)
  })
})
