/** The result of a run as the standard in-toto predicate, for policy engines: https://in-toto.io/attestation/test-result/v0.1 */
import type { Run, RunRecord, Verdict } from '../bundle/record.ts'
import { ownMember } from '../bundle/json.ts'
import { statementType, type inTotoSubjects } from '../bundle/seal/statement.ts'
import { levelsIn, type Level } from '../../spec/index.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'

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
  judgedAgain: string | null,
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
      ],
      passedTests: checks('pass'),
      warnedTests: checks('warn'),
      failedTests: checks('fail', 'error'),
    },
  }
}

/**
 * Such as `PASSED: acme 4.2.1 (https://api.acme.example), clause set 2026-11, run of 2026-11-26T09:00:00.000Z`. Null for
 * what is no such statement; nothing in it is believed.
 */
export function testResultWords(statement: unknown): string | null {
  const predicate = ownMember(statement, 'predicate')
  const configured = ownMember(predicate, 'configuration')
  const named = (name: string): unknown =>
    Array.isArray(configured) ? configured.find((one) => ownMember(one, 'name') === name) : undefined
  const note = (name: string, member: string): unknown =>
    ownMember(ownMember(named(name), 'annotations'), member)
  const words = [
    ownMember(predicate, 'result'),
    note('target', 'name'),
    note('target', 'version'),
    ownMember(named('target'), 'uri'),
    note('clause-set', 'revision'),
    note('run', 'endedAt'),
  ]
  if (ownMember(statement, 'predicateType') !== testResultType) return null
  if (!words.every((word) => typeof word === 'string')) return null
  const [result, target, version, address, revision, endedAt] = words
  return `${result}: ${target} ${version} (${address}), clause set ${revision}, run of ${endedAt}`
}

const ranAs = ({ run: { id, profile, endedAt } }: RunRecord) => ({ id, profile, endedAt })

export interface UnpublishedSet {
  /** The published set. */
  base: string
  /** Ids of MUST clauses of the base that do not count. */
  removed: readonly string[]
  /** Ids of MUST clauses of the base that are SHOULD clauses here. */
  lowered: readonly string[]
}

/** Null of a published set. */
export function unpublishedSet(run: Run): UnpublishedSet | null {
  const { contract } = run.record
  if (contract.definition === undefined) return null
  const { base } = contract.definition
  const [before, after] = [{ revision: base }, contract].map((set) => levelsIn(set) ?? {})
  const musts = clauseRows(run)
    .map(({ clause }) => clause)
    .filter((clause) => before?.[clause] === 'must')
  const now = (level: Level | undefined): readonly string[] =>
    musts.filter((clause) => after?.[clause] === level)
  return { base, removed: now(undefined), lowered: now('should') }
}
