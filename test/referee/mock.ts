/** The suite on a bare mock of our document, which has the shapes of the contract and nothing else. */
import { fileURLToPath } from 'node:url'
import type { ClauseId, GapId } from '../../spec/index.ts'
import { loadTarget, type Finding, type Run } from '../../suites/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { line } from '../simulated-run.ts'
import { found, kept, unseen } from './mock-verdicts.ts'
import { startMock } from './prism.ts'

const targetFile = fileURLToPath(new URL('touchstone.yaml', import.meta.url))

export interface MockRun {
  run: Run
  /** What was said of it and should not have been, or the other way round. */
  complaints: readonly string[]
}

export async function judgeMock(): Promise<MockRun> {
  const mock = await startMock()
  try {
    const target = loadTarget(targetFile, {
      MOCK_URL: mock.url,
      MOCK_KEY: 'sk-one',
      MOCK_KEY_TWO: 'sk-two',
      MOCK_SESSION: 'session=any',
    })
    // Nothing that is waited for ever comes.
    const run = await runServerUnredacted(target, { seed: 1, clock: hurriedClock(5) })
    return { run, complaints: complaintsOf(run) }
  } finally {
    await mock.stop()
  }
}

type Verdict = 'pass' | 'fail'

function complaintsOf({ record }: Run): readonly string[] {
  const errors = record.findings.filter(({ verdict }) => verdict === 'error')
  return [
    ...(record.conformance === 'nonconformant' ? [] : [`the mock was found ${record.conformance}`]),
    ...errors.map((finding) => `an error of ours: ${line(finding)}`),
    ...held('fail', found, record.findings),
    ...held('pass', kept, record.findings),
    ...unjudged(record.findings),
  ]
}

/** Every clause of the rows came out so at least once, and no other clause did. */
function held(verdict: Verdict, rows: typeof found, findings: readonly Finding[]): readonly string[] {
  const wanted = new Set<ClauseId | GapId>(rows.flatMap(({ clauses }) => clauses))
  const seen = findings.filter((finding) => finding.verdict === verdict)
  const subjects = new Set(seen.map(({ subject }) => subject))
  return [
    ...rows.flatMap(({ why, clauses }) =>
      clauses.filter((clause) => !subjects.has(clause)).map((clause) => `no ${verdict} of ${clause}: ${why}`),
    ),
    ...seen
      .filter(({ subject }) => !wanted.has(subject))
      .map((finding) => `nobody expected ${line(finding)}`),
  ]
}

const unjudgedVerdicts: readonly Finding['verdict'][] = ['inconclusive', 'not-applicable', 'not-exercised']

function unjudged(findings: readonly Finding[]): readonly string[] {
  return unseen.flatMap(({ why, clauses }) =>
    clauses.flatMap((clause) => {
      const ours = findings.filter(({ subject }) => subject === clause)
      if (ours.length === 0) return [`${clause} was not planned`]
      const judged = ours.filter(({ verdict }) => !unjudgedVerdicts.includes(verdict))
      return judged.map((finding) => `${line(finding)}, though ${why}`)
    }),
  )
}
