/** A bundle of which anything was changed is refused, with the place; one that was cut off is read up to there. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readBundle, type ReadBundle } from '../../cli/rejudge/read-bundle.ts'
import { sha256 } from '../../bundle/seal/digest.ts'
import { run } from '../../cli/process.testkit.ts'
import { BundleError } from '../../bundle/errors.ts'
import type { Finding } from '../../suites/index.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
let whole: string
let before: ReadBundle
let count = 0

beforeAll(async () => {
  whole = join(root, 'whole')
  const only = ['--only', 'auth/credentials,chat-request/message-rules,streaming/streamed-turn']
  await run(['check', 'simulator', ...only, '--quiet', '--seed', '1', '--out', whole])
  before = readBundle(whole)
})

/** A copy that may be changed. */
function copied(): string {
  const folder = join(root, `copy-${++count}`)
  cpSync(whole, folder, { recursive: true })
  return folder
}

const journalOf = (folder: string): string => join(folder, 'journal.ndjson')
const linesOf = (folder: string): string[] => readFileSync(journalOf(folder), 'utf8').trimEnd().split('\n')
const writeLines = (folder: string, lines: readonly string[]): void =>
  writeFileSync(journalOf(folder), lines.map((line) => `${line}\n`).join(''))

function changed(file: string, change: (text: string) => string) {
  return (folder: string): void => {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const other = change(text)
    expect(other).not.toBe(text)
    writeFileSync(path, other)
  }
}

function relined(change: (lines: string[]) => readonly string[]) {
  return (folder: string): void => writeLines(folder, change(linesOf(folder)))
}

function evidenceIn(folder: string): string {
  const [name = ''] = readdirSync(join(folder, 'evidence'))
  return join(folder, 'evidence', name)
}

function piped(path: string): void {
  rmSync(path)
  execFileSync('mkfifo', [path])
}

const seal = ({ run: { record } }: ReadBundle) => record.journal ?? { lines: 0, head: '' }

/** As somebody would who knows about the chain, but not about what it is sealed with. */
function rechained(lines: readonly string[], from: number): readonly string[] {
  const again = [...lines]
  for (let at = from; at < again.length; at++)
    again[at] = (again[at] ?? '').replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${sha256(again[at - 1] ?? '')}"`)
  return again
}

type Row = readonly [what: string, change: (folder: string) => void, words: RegExp]

/** Held by the chain, whether there is a record or not. */
const chained: readonly Row[] = [
  [
    'a pipe in place of the journal, which nobody writes to',
    (folder) => piped(journalOf(folder)),
    /journal\.ndjson cannot be read \(it is no plain file\)/,
  ],
  [
    'a pipe in place of a body',
    (folder) => piped(evidenceIn(folder)),
    /evidence\/[0-9a-f]{64} cannot be read \(it is no plain file\)/,
  ],
  [
    'a byte of an exchange',
    changed('journal.ndjson', (text) => text.replace('"status":401', '"status":400')),
    /journal\.ndjson, line (\d+): it is not chained to the line before it, so that line \d+ is not as it was written/,
  ],
  [
    'a line that is left out',
    relined((lines) => lines.toSpliced(3, 1)),
    /line 4: it is number 4 of the journal, not 3/,
  ],
  [
    'two lines that changed places',
    relined(([a = '', b = '', c = '', d = '', ...rest]) => [a, b, d, c, ...rest]),
    /line 3: it is number 3 of the journal, not 2/,
  ],
  [
    'a line that is there twice',
    relined((lines) => lines.toSpliced(3, 0, lines[2] ?? '')),
    /line 4: it is number 2/,
  ],
  [
    'a line that was added',
    relined((lines) => [...lines, lines.at(-1) ?? '']),
    /: it is number \d+ of the journal/,
  ],
  [
    'a line of something else',
    relined((lines) => lines.toSpliced(2, 0, '{"is":"note"}')),
    /line 3: it is no line of a journal/,
  ],
  ['an empty line', relined((lines) => lines.toSpliced(2, 0, '')), /line 3: it is not JSON/],
  [
    'evidence that was changed',
    (folder) => writeFileSync(evidenceIn(folder), 'x'.repeat(4_096)),
    /line \d+: evidence\/[0-9a-f]{64} was altered/,
  ],
  [
    'evidence that is gone',
    (folder) => unlinkSync(evidenceIn(folder)),
    /line \d+: evidence\/[0-9a-f]{64} cannot be read \(there is no such file or folder\)/,
  ],
  [
    'the plan',
    changed('plan.json', (text) => text.replace('"requests"', '"Requests"')),
    /plan\.json: it does not fit its schema/,
  ],
  [
    'a plan of a newer version',
    changed('plan.json', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2')),
    /plan\.json\/schemaVersion is 2, and this version of Touchstone reads up to 1: install a newer one\.$/,
  ],
  [
    'the number of the seed',
    changed('plan.json', (text) => text.replace('"seed": 1', '"seed": 2')),
    /line 1: it belongs to another plan/,
  ],
  [
    'a whole plan that is gone',
    (folder) => unlinkSync(join(folder, 'plan.json')),
    /plan\.json cannot be read \(there is no such file or folder\)/,
  ],
]

/** Held by the record. */
const sealed: readonly Row[] = [
  [
    'a line that was changed with all that are chained to it',
    relined((lines) =>
      rechained(
        lines.map((line) => line.replace('"status":401', '"status":400')),
        1,
      ),
    ),
    /run\.json: it seals another journal than the one beside it/,
  ],
  [
    'the end, left out',
    relined((lines) => lines.slice(0, -1)),
    /run\.json: it seals a journal of \d+ lines, and there are \d+/,
  ],
  [
    'the plan of the record',
    changed('run.json', (text) => text.replace(/("plan": \{[^]*?"digest": ")./, '$1x')),
    /run\.json: it does not fit|its plan is not the one in plan\.json/,
  ],
  [
    'the run of the record',
    changed('run.json', (text) => text.replace(/"id": "[^"]*"/, '"id": "another"')),
    /it is of the run another, and the journal beside it of another/,
  ],
  [
    'a verdict without evidence',
    changed('run.json', (text) => text.replace(/("verdict": "pass",\s*"evidence": )\[[^\]]*\]/, '$1[]')),
    /run\.json: it does not fit its schema: .*evidence is empty/,
  ],
  [
    'a journal that is gone',
    (folder) => unlinkSync(journalOf(folder)),
    /run\.json: it is of the run .*, and the journal beside it of another/,
  ],
]

describe('refused, with the place:', () => {
  test.for(chained)('%s, also where the record is taken away', ([, change, words]) => {
    const folder = copied()
    change(folder)
    expect(() => readBundle(folder)).toThrow(BundleError)
    expect(() => readBundle(folder)).toThrow(words)
    unlinkSync(join(folder, 'run.json'))
    expect(() => readBundle(folder)).toThrow(words)
  })

  test.for(sealed)('%s', ([, change, words]) => {
    const folder = copied()
    change(folder)
    expect(() => readBundle(folder)).toThrow(BundleError)
    expect(() => readBundle(folder)).toThrow(words)
  })
})

describe('a journal that is cut', () => {
  /** Every end of a line, and some places within each. */
  const cuts = (text: string): number[] =>
    [...text.matchAll(/\n/g)].flatMap(({ index }) => [index + 1, index + 2, index, index - 7, index + 100])

  test('anywhere is refused beside a record, and without one is read up to there', () => {
    const folder = copied()
    const text = readFileSync(journalOf(folder), 'utf8')
    const bytes = Buffer.from(text)
    const found = new Map(before.run.record.findings.map((finding) => [finding.check, finding]))
    const record = readFileSync(join(folder, 'run.json'))
    const places = [...new Set([0, 1, ...cuts(text)])].filter((at) => at >= 0 && at < bytes.length)
    expect(places.length).toBeGreaterThan(60)
    for (const at of places) {
      const left = bytes.subarray(0, at)
      writeFileSync(journalOf(folder), left)
      writeFileSync(join(folder, 'run.json'), record)
      expect(() => readBundle(folder)).toThrow(BundleError)
      unlinkSync(join(folder, 'run.json'))
      const lines = left.toString().split('\n').length - 1
      const { run: cut, ends } = readBundle(folder)
      const reported = new Set(cut.record.scenarioRuns.map(({ scenario }) => scenario))
      expect(cut.record.run.lifecycle).toBe('crashed')
      expect(ends).toContain(lines === 0 ? 'before the first line' : `line ${lines} of its journal`)
      const isReported = ({ scenario }: Finding): boolean => reported.has(scenario)
      const isOpen = ({ reason, evidence }: Finding): boolean =>
        reason === 'interrupted' && evidence.length === 0
      expect(cut.record.findings.filter(isReported)).toEqual([...found.values()].filter(isReported))
      expect(cut.record.findings.every((finding) => isReported(finding) || isOpen(finding))).toBe(true)
      const judged = cut.record.findings.filter(isReported).length
      expect(ends).toContain(`${judged} of ${found.size} checks have a verdict`)
    }
  })

  test('a whole one without its record is judged again to the same verdicts', () => {
    const folder = copied()
    unlinkSync(join(folder, 'run.json'))
    const { run: again, ends } = readBundle(folder)
    expect(again.record.findings).toEqual(before.run.record.findings)
    expect(again.record.journal).toEqual(seal(before))
    expect(ends).toMatch(/^it had ended, and its record was never written: it ends after line \d+/)
  })
})
