/** Whatever moment a run is killed at: what it left is read up to there, or refused in words, and never taken for more. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBundle } from '../../cli/rejudge/read-bundle.ts'
import { run } from '../../cli/process.testkit.ts'
import { UsageError } from '../../cli/usage-error.ts'
import { runningOf } from '../../bundle/folder/report-folder.ts'
import type { Finding } from '../../suites/index.ts'
import { touchstoneBin } from '../bundled.ts'
import { journalHas, linesIn } from './journal-grows.ts'
import { start, type Started } from './started.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const few = ['--only', 'auth/*,idempotency-replay/*,streaming/*,delivery/test']
const check = ['check', 'simulator', '--quiet', '--seed', '1', ...few]
const root = temporaryFolder()
/** Of a whole journal. */
let lines = 0
const started: Started[] = []

beforeAll(async () => {
  const whole = await run([...check, '--out', join(root, 'whole')])
  if (whole.code !== 0) throw new Error(whole.err)
  lines = linesIn(join(root, 'whole')) ?? 0
})
afterAll(() => {
  for (const one of started) one.kill()
})

function begin(...given: Parameters<typeof start>): Started {
  const one = start(...given)
  started.push(one)
  return one
}

const judged: readonly Finding['verdict'][] = ['pass', 'observed', 'not-applicable', 'inconclusive']

/** The report, or the part of it that was written. */
const leftIn = (out: string): string => (existsSync(out) ? out : runningOf(out))

/** What is wrong with what a killed run left in a folder, of which so many lines had been seen. */
function troublesIn(out: string, seen: number): readonly string[] {
  if (!existsSync(join(out, 'plan.json'))) return refusedFor(out, /plan\.json cannot be read \(ENOENT\)/)
  const { run: left, ends } = readBundle(out)
  const { record, journal } = left
  const whole = linesIn(out) ?? 0
  const reported = new Set(record.scenarioRuns.map(({ scenario }) => scenario))
  const crashed = record.run.lifecycle === 'crashed'
  const where = whole === 0 ? 'before the first line' : `line ${whole} of its journal`
  const facts: Readonly<Record<string, boolean>> = {
    'has the lines that were seen': whole >= seen,
    'has a finding for each check that was planned':
      String(record.findings.map((one) => one.check)) === String(record.plan.checks.map((one) => one.check)),
    'blames nobody': record.findings.every(({ verdict }) => verdict !== 'fail' && verdict !== 'error'),
    'judges only what ran': record.findings.every(
      (one) => reported.has(one.scenario) || !judged.includes(one.verdict) || !crashed,
    ),
    'has no more than its journal': journal.length + reported.size <= whole,
    'is whole only with its record': crashed !== existsSync(join(out, 'run.json')),
    'passes no gate where it was cut off': !crashed || record.exitCode === 3,
    'says where it ends': crashed ? ends?.includes(where) === true : ends === null,
  }
  return Object.keys(facts).filter((fact) => facts[fact] === false)
}

function refusedFor(out: string, words: RegExp): readonly string[] {
  try {
    readBundle(out)
    return ['is refused']
  } catch (error) {
    return error instanceof UsageError && words.test(error.message) ? [] : [`is refused: ${String(error)}`]
  }
}

describe('a run that is killed', () => {
  test('at ten points leaves what can be read up to there', async () => {
    // A process dies with ten runs, a tenth of a run apart.
    const runs = 10
    const own = join(root, 'killed')
    const behind = Math.ceil(lines / runs)
    const last = Math.round(behind / 2)
    const one = begin('test/bundle/staggered-runs.ts', [own, String(runs), String(behind), ...few])
    await journalHas(last, join(own, String(runs - 1)), one.ended)
    one.kill()
    expect(await one.ended).toMatchObject({ signal: 'SIGKILL', err: '' })
    const seen = [...Array.from({ length: runs - 1 }, () => behind), last]
    expect(seen.flatMap((lines, run) => troublesIn(leftIn(join(own, String(run))), lines))).toEqual([])
  })

  test('says where it ends when it is judged again, and gives its folder to the next run', async () => {
    const out = join(root, 'again')
    // Of everything: it is far from its end when it is seen.
    const one = begin(touchstoneBin, ['check', 'simulator', '--quiet', '--out', out])
    await journalHas(60, out, one.ended)
    one.halt()
    const second = await run([...check, '--out', out])
    expect([second.code, second.err]).toEqual([
      2,
      expect.stringMatching(/another run is writing there \(process \d+\)/),
    ])
    expect(readBundle(runningOf(out)).ends).toMatch(
      /^process \d+ is still writing this run: for now it ends with line \d+ /,
    )
    one.kill()
    await one.ended

    const again = await run(['verify', '--rejudge', runningOf(out), '--out', `${out}-again`])
    expect([again.code, again.err]).toEqual([
      3,
      expect.stringMatching(
        /it ends with line \d+ of its journal.*; the last scenario run is .*; \d+ of \d+ checks have a verdict/,
      ),
    ])
    expect((await run([...check, '--out', out])).code).toBe(0)
    expect(readBundle(out).ends).toBeNull()
  })
})
