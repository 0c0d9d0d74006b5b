/** Every format of every kind of run, held against those who read it; and made again from what a run left. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { run as command } from '../../cli/process.testkit.ts'
import { readBundle } from '../../cli/rejudge/read-bundle.ts'
import { exporters, formats, type Finding, type Run } from '../../reports/index.ts'
import { everyVerdict, exchange, finding, runOf } from '../../reports/testing/run.testkit.ts'
import { consumers, type Consumer } from './consumers.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const kept = join(root, 'run')
/** What the run printed. */
let printed: string
beforeAll(async () => {
  const only = ['--only', 'idempotency-replay/*', '--only', 'delivery/test']
  const argv = ['check', 'simulator', '--seed', '1', '--fault', 'replay-unmarked', ...only]
  printed = (await command([...argv, '--out', kept])).out
})

const hasXmllint = spawnSync('xmllint', ['--version']).error === undefined

const hostile = [
  ']]></failure><testcase name="forged"/>&\'"',
  '::error title=x::y\r\n::stop-commands::z %0A',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '[link](https://evil.example) ![image](x) | cell | `code` **bold** <!-- -->',
  '\u0000\u001b[31m\u0007\u009b\u202eright to left\u2066\ufeff\u2028',
  '\ud800 half \udfff',
  '=1+1',
].join(' ')
const large = 'ä'.repeat(500_000)

function hostileRun(): Run {
  const words = { title: hostile, expected: hostile, got: hostile + large, detail: hostile }
  const verdicts = everyVerdict().map((one) => ({
    ...one,
    ...words,
    evidence: one.evidence.length > 0 ? [1, 2, 3] : [],
  }))
  const waived = {
    as: 'known-failure',
    owner: hostile,
    reason: hostile,
    issue: hostile,
    expires: '2027-01-01',
  } as const
  const findings: readonly Finding[] = [
    ...verdicts,
    finding({ verdict: 'fail', scenario: 'waived', ...words, waived }),
  ]
  const plain = exchange(1)
  const request = { ...plain.request, path: `/%%${hostile}`, headers: [['x-h', hostile] as const] }
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 256)
  const response = {
    status: 999,
    headers: [[hostile, hostile] as const],
    at: 25,
    chunks: [{ at: 26, bytes }],
    complete: false,
  }
  const journal = [
    { ...plain, name: hostile, request, failure: { kind: 'reset' as const, message: hostile } },
    { ...exchange(2), response },
    { ...exchange(3, { sent: large, came: large }), inbound: { place: hostile, targetAt: 1 } },
    { ...exchange(4), response: null, sentAt: 3, endedAt: 2 },
  ]
  const { record } = runOf(findings, {}, journal)
  const target = { ...record.target, name: hostile, version: hostile, organization: hostile }
  const gate = { passed: false, because: [hostile], stalePolicy: [hostile] }
  return { record: { ...record, target, gate }, journal }
}

const interrupted = { ...runOf([]).record.run, lifecycle: 'interrupted' } as const
const runs: Readonly<Record<string, () => Run>> = {
  'an empty run': () => runOf([], {}, []),
  'a run of every verdict': () => runOf(everyVerdict()),
  'a run without findings': () => ({ ...runOf(everyVerdict(), { findings: [], run: interrupted }) }),
  'a run against a hostile target': hostileRun,
  'a run against a simulator with a fault': () => readBundle(kept).run,
}

describe.for(Object.entries(runs))('%s', ([, made]) => {
  test.for(formats)('its readers accept $name', ({ name, render }, { skip }) => {
    if (name === 'junit' && !hasXmllint) skip('there is no xmllint')
    const run = made()
    const problemsOf = (consumers as Readonly<Record<string, Consumer>>)[name] ?? notEmpty
    expect(problemsOf(String(render(run)), run)).toEqual([])
  })
})

/** For a format whose readers have no schema. */
const notEmpty: Consumer = (content) => (content === '' ? ['it is empty'] : [])

test('of 3,000 findings a summary and annotations are short, and say how much they leave out', () => {
  const words = (at: number) => `the ${at.toString(36)}. thing, which is not like the others`
  const run = runOf(
    Array.from({ length: 3_000 }, (_, at) =>
      finding({
        verdict: at % 3 === 0 ? 'warn' : 'fail',
        scenario: `huge/s${at}`,
        expected: words(at),
        got: words(at + 1),
      }),
    ),
  )
  const made = (name: string): string => String(formats.find((one) => one.name === name)?.render(run))
  const { markdown, annotations } = consumers
  expect(markdown(made('markdown'))).toEqual([])
  expect(made('markdown')).toMatch(/\n… \d+ more lines: see report\.html\n$/)
  expect(annotations(made('annotations'))).toEqual([])
  expect(made('annotations')).toContain('::error title=Touchstone::2991 more: see report.html\n')
})

const evidence = 'that is in the folder of a run, which is evidence; name another place.'

describe('made again', () => {
  test.for(exporters.map(({ name, file }) => [name, file]))(
    '%s is what the run wrote, to the byte',
    async ([name = '', file = '']) => {
      const { code, out, err } = await command(['report', kept, '--format', name])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out === readFileSync(join(kept, file), 'utf8')).toBe(true)
    },
  )

  test('the summary is what the run printed', async () => {
    expect((await command(['report', kept])).out).toBe(printed)
    expect((await command(['report', kept, '--format', 'text'])).out).toBe(printed)
  })

  test('all go to a folder, and one to a file', async () => {
    const [folder, file] = [join(root, 'all'), join(root, 'deeper/job.md')]
    const { code, err } = await command(['report', kept, '--out', `${folder}/`])
    expect(code).toBe(0)
    expect(err.trim().split('\n').toSorted()).toEqual(
      exporters.map((one) => join(folder, one.file)).toSorted(),
    )
    for (const one of exporters)
      expect(readFileSync(join(folder, one.file)).equals(readFileSync(join(kept, one.file)))).toBe(true)
    await command(['report', kept, '--format', 'markdown', '--out', file])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(kept, 'summary.md'), 'utf8'))
  })

  test.for([
    [['--format', 'junt'], 'unknown format; did you mean junit?'],
    [['--format', 'junit,ctrf'], '2 formats do not go to one output: name a folder with --out.'],
    [['--format', 'junit', '--out', '{run}/run.json'], evidence],
    [['--out', '{run}'], evidence],
    [['--format', 'junit', '--out', '{other}/junit.xml'], evidence],
    [['--format', 'junit', '--out', '/proc/none/junit.xml'], 'it cannot be written'],
  ] as const)('%j is refused in one line', async ([options, reported]) => {
    const other = copyOf('other')
    const argv = options.map((one) => one.replace('{run}', kept).replace('{other}', other))
    const { code, out, err } = await command(['report', kept, ...argv])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(reported)
    expect(err.trim()).not.toContain('\n')
  })
})

describe('a format of a user', () => {
  test('is made like those of ours', async () => {
    const { code, out } = await command(['report', kept, '--format', example('broken-by-area.mjs')])
    expect(code).toBe(0)
    expect(out.split('\r\n')[0]).toBe('area,clause,level,verdict,expected,got,fingerprint')
    expect(out).toContain('"header x-service-idempotent-replay: true","no such header"')
  })

  test.for([
    ['export const render = 1', 'it has no default export'],
    ['export default () => ""', 'its default export is a function, not an object'],
    ['export default { file: "a", render: () => "" }', 'its `name` is no text'],
    ['export default { name: "a", file: "../a", render: () => "" }', 'its `file` is not the name of a file'],
    ['export default { name: "a", file: "a" }', 'its `render` is no function'],
    [
      'export default { name: "a", file: "a", render: () => 7 }',
      'its `render` gave number, not a text or bytes',
    ],
    ['export default { name: "a", file: "a", render: async () => "" }', 'its `render` gave a promise'],
    [
      'export default { name: "a", file: "a", render: () => { throw new Error("no\\nluck") } }',
      'its `render` threw Error: no luck, at',
    ],
    ['export default {', 'it cannot be loaded ('],
    ['import "./none.mjs"', 'it cannot be loaded (Error: Cannot find module'],
    [
      'export default { name: "a", file: "a", render: () => new Uint8Array(1) }',
      'gives bytes: name a file with --out',
    ],
    ['export default { name: "a", file: "run.json", render: () => "" }', evidence, '--out', '{run}'],
  ])('is refused in one line that names it: %s', async ([source = '', reported = '', ...more]) => {
    const file = join(root, `own-${source.length}-${reported.length}.mjs`)
    writeFileSync(file, source)
    const argv = more.map((one) => one.replace('{run}', kept))
    const { code, out, err } = await command(['report', kept, '--format', file, ...argv])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(reported)
    expect(err.trim()).not.toContain('\n')
  })

  test('is refused where there is no such file', async () => {
    const { code, err } = await command(['report', kept, '--format', './none.mjs'])
    expect({ code, err }).toEqual({ code: 2, err: 'error: --format ./none.mjs: there is no such file.\n' })
  })
})

function example(name: string): string {
  return fileURLToPath(new URL(`../../examples/exporters/${name}`, import.meta.url))
}

function copyOf(name: string): string {
  const path = join(root, name)
  cpSync(kept, path, { recursive: true })
  return path
}
