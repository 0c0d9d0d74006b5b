/** The result of a run as the standard in-toto predicate, for policy engines: https://in-toto.io/attestation/test-result/v0.1 */
import type { Run, RunRecord, Verdict } from '../bundle/record.ts'
import { statementType, type inTotoSubjects } from '../bundle/seal/statement.ts'
import { historyData, type StatedHistory } from './run-history.ts'
import { unpublishedSet } from './unpublished-set.ts'

export const testResultType = 'https://in-toto.io/attestation/test-result/v0.1'

const resultOf: Readonly<Record<RunRecord['conformance'], string>> = {
  conformant: 'PASSED',
  partial: 'WARNED',
  nonconformant: 'FAILED',
}

/**
 * A waived failure is a failed test: conformance decides, not the gate. What passes only under a clause set that is not
 * published is a warning.
 */
export function testResultOf(
  run: Run,
  subjects: ReturnType<typeof inTotoSubjects>,
  { history, judgedAgain }: { history: StatedHistory | null; judgedAgain: string | null },
) {
  const { record } = run
  const unpublished = unpublishedSet(run)
  const { findings, conformance, target, contract, tool } = record
  const checks = (...verdicts: readonly Verdict[]): readonly string[] =>
    findings.flatMap(({ check, verdict }) => (verdicts.includes(verdict) ? [check] : []))
  return {
    _type: statementType,
    subject: subjects,
    predicateType: testResultType,
    predicate: {
      result: resultOf[conformance === 'conformant' && unpublished !== null ? 'partial' : conformance],
      configuration: [
        {
          name: 'clause-set',
          digest: { sha256: contract.digest },
          annotations: { revision: contract.revision, ...(unpublished && { unpublished }) },
        },
        { name: 'suite', digest: { sha256: tool.suite }, annotations: { version: tool.version } },
        {
          name: 'target',
          uri: target.baseUrl,
          annotations: { name: target.name, version: target.version, kind: target.kind },
        },
        { name: 'run', annotations: { ...ranAs(record), ...(judgedAgain !== null && { judgedAgain }) } },
        ...(history === null ? [] : [{ name: 'run-log', annotations: historyData(history) }]),
      ],
      passedTests: checks('pass'),
      warnedTests: checks('warn'),
      failedTests: checks('fail', 'error'),
    },
  }
}

const ranAs = ({ run: { id, profile, endedAt } }: RunRecord) => ({ id, profile, endedAt })
