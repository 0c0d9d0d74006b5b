/** Run bundles as a target leaves them over months: each a real one, with other times, version, verdicts and waivers. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import type { JudgeBasis } from '../../cli/rejudge/read-bundle.ts'
import { openingIn } from '../../reports/bundle/journal/writer.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import type { Signer } from '../../reports/bundle/seal/envelope.ts'
import { sealFolder, withSigner } from '../../reports/bundle/seal/seal.ts'
import { beginningLine, chained, contentOf, endLine, linesIn } from '../../reports/bundle/shards/lines.ts'
import { reportFiles } from '../../reports/index.ts'
import { answersFor } from '../../suites/runner/outcome/run-record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'

export interface LaterRun {
  version: string
  /** ISO 8601, UTC. */
  startedAt: string
  target?: Partial<RunRecord['target']>
  /** Patterns of checks that fail in it. */
  failing?: RegExp
  /** Ids of checks whose failure is waived. */
  waived?: readonly string[]
  /** By default that of the version and the time. */
  id?: string
  /** Times as long and as expensive. */
  factor?: number
}

/** Copies the bundle in `base`, without its reports, and seals the copy anew. */
export function writeLaterRun(base: string, path: string, later: LaterRun, signer: Signer | null): void {
  cpSync(base, path, { recursive: true })
  for (const file of [...reportFiles, 'counterexamples', 'changes.json'])
    rmSync(join(path, file), { recursive: true, force: true })
  const read = (file: string): string => readFileSync(join(path, file), 'utf8')
  const { signing: _, ...unsigned } = JSON.parse(read('run.json')) as RunRecord
  const record = withSigner(changed(unsigned, later), signer)
  const basis = JSON.parse(read('judging.json')) as JudgeBasis
  const waived = record.findings.filter(({ check }) => later.waived?.includes(check))
  const policy = { ...basis.policy, knownFailures: waived.map(waiverOf) }
  const opening = openingIn(record)
  const plan = pretty({ ...opening, plan: record.plan })
  let journal = ''
  const contents = linesIn(Buffer.from(read('journal.ndjson')))
    .slice(1, -1)
    .map(contentOf)
  const exchanges = contents.filter((line) => line.includes('"is":"exchange"')).length
  const seal = chained(
    plan,
    [beginningLine(opening), ...contents, endLine(record.run, exchanges)],
    (line) => {
      journal += line
    },
  )
  const answers = answersFor(record, scenariosFor(record), policy, record.run.endedAt)
  const whole = { ...record, ...answers, journal: seal }
  for (const [file, content] of Object.entries({
    'judging.json': pretty({ ...basis, policy }),
    'plan.json': plan,
    'journal.ndjson': journal,
    'run.json': pretty(whole),
  }))
    writeFileSync(join(path, file), content)
  sealFolder(path, whole, signer, reportFiles)
}

const otherwise = '81ed05b62c2c'
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const waiverOf = ({ check, fingerprint = otherwise }: Finding) => ({
  check,
  fingerprint,
  owner: 'Chat team',
  reason: 'is being fixed',
  issue: 'https://tracker.example/CHAT-12',
  created: '2024-01-01',
  expires: '2027-06-30',
})

function changed(
  record: RunRecord,
  { version, startedAt, target, failing, id, factor = 1 }: LaterRun,
): RunRecord {
  const took = Date.parse(record.run.endedAt) - Date.parse(record.run.startedAt)
  const { requests, turns, credits, wallSeconds } = record.used
  return {
    ...record,
    run: {
      ...record.run,
      id: id ?? createHash('sha256').update(`${version} ${startedAt}`).digest('hex').slice(0, 32),
      startedAt,
      endedAt: new Date(Date.parse(startedAt) + took * factor).toISOString(),
    },
    target: { ...record.target, ...target, version },
    findings: record.findings.map((finding) => verdictOf(finding, failing)),
    used: {
      requests: Math.round(requests * factor),
      turns: Math.round(turns * factor),
      credits: Math.round(credits * factor),
      wallSeconds: wallSeconds * factor,
    },
  }
}

/** A failure of the base stays as it is, so that its journal gives it. */
function verdictOf(finding: Finding, failing?: RegExp): Finding {
  const { waived: _, ...rest } = finding
  const failed = rest.verdict === 'fail' || rest.verdict === 'warn'
  if (failing?.test(rest.check) === true) {
    if (failed || rest.evidence.length === 0) return rest
    const what = { expected: 'what the clause says', got: 'something else', fingerprint: otherwise }
    return { ...rest, ...what, verdict: rest.level === 'must' ? 'fail' : 'warn' }
  }
  const { expected: __, got: ___, fingerprint: ____, cited: _____, expect: ______, ...passed } = rest
  return failed ? { ...passed, verdict: 'pass' } : rest
}
