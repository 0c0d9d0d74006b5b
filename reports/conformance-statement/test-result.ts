/** The result of a run as the standard in-toto predicate, for policy engines: https://in-toto.io/attestation/test-result/v0.1 */
import type { RunRecord, Verdict } from '../bundle/record.ts'
import { statementType, inTotoSubjects, type Subjects } from '../bundle/seal/statement.ts'
import { historyData, type StatedHistory } from './run-history.ts'

const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'

const resultOf: Readonly<Record<RunRecord['conformance'], string>> = {
  conformant: 'PASSED',
  partial: 'WARNED',
  nonconformant: 'FAILED',
}

/** A waived failure is a failed test: conformance decides, not the gate. */
export function testResultOf(record: RunRecord, subjects: Subjects, history: StatedHistory | null) {
  const { findings, conformance, target, contract, tool, run } = record
  const checks = (...verdicts: readonly Verdict[]): readonly string[] =>
    findings.flatMap(({ check, verdict }) => (verdicts.includes(verdict) ? [check] : []))
  return {
    _type: statementType,
    subject: inTotoSubjects(subjects),
    predicateType,
    predicate: {
      result: resultOf[conformance],
      configuration: [
        {
          name: 'clause-set',
          digest: { sha256: contract.digest },
          annotations: { revision: contract.revision },
        },
        { name: 'suite', digest: { sha256: tool.suite }, annotations: { version: tool.version } },
        {
          name: 'target',
          uri: target.baseUrl,
          annotations: { name: target.name, version: target.version, kind: target.kind },
        },
        { name: 'run', annotations: { id: run.id, profile: run.profile, endedAt: run.endedAt } },
        ...(history === null ? [] : [{ name: 'run-log', annotations: historyData(history) }]),
      ],
      passedTests: checks('pass'),
      warnedTests: checks('warn'),
      failedTests: checks('fail', 'error'),
    },
  }
}
