/** What a run comes to under the clause sets that do not decide, in words. */
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Move, RunRecord } from '../bundle/record.ts'
import { uncheckedWords } from './clauses.ts'
import { conformanceWords, type VerdictWords } from './verdicts.ts'

export interface OtherSetWords {
  words: VerdictWords
  /** Such as `nonconformant under 2027-03`. */
  title: string
  /** Such as `the gate would fail (exit code 1)`. */
  gate: string
  because: readonly string[]
  /** Such as `warn → fail, now a MUST: idempotency-conflict/near/IDEM-CONFLICT-NEAR`, and what there is besides. */
  lines: readonly string[]
}

export function otherSetWords(record: RunRecord): readonly OtherSetWords[] {
  const { otherSets = [], otherAnswers = [] } = record
  const found = new Map(record.findings.map((finding) => [finding.check, finding]))
  return otherAnswers.map(({ revision, conformance, gate, exitCode, moves }) => {
    const set = otherSets.find((one) => one.revision === revision) ?? { revision, digest: '' }
    const shown = moves.flatMap((move) => {
      const before = found.get(move.check)
      return before && isShownMove(before, move) ? [`${moveWords(before, move)}: ${move.check}`] : []
    })
    const rest = moves.length - shown.length
    const words = conformanceWords[conformance]
    return {
      words,
      title: `${words.word} under ${clauseSetWords(set)}`,
      gate: `the gate would ${gate.passed ? 'pass' : 'fail'} (exit code ${exitCode})`,
      because: gate.because,
      lines: [
        ...shown,
        ...(rest > 0
          ? [`${rest} more ${rest === 1 ? 'check' : 'checks'} with another level and no failure`]
          : []),
        ...uncheckedWords({ ...record, contract: set }),
      ],
    }
  })
}

type Standing = Pick<Move, 'level' | 'verdict' | 'provisional'>

/** Whether more than the level differs, or what has it did not pass. */
function isShownMove(before: Standing, after: Standing): boolean {
  return before.verdict !== after.verdict || ['fail', 'warn', 'error'].includes(after.verdict)
}

/** Such as `warn → fail, now a MUST`. */
export function moveWords(before: Standing, after: Standing): string {
  const verdict = before.verdict === after.verdict ? after.verdict : `${before.verdict} → ${after.verdict}`
  const level = before.level === after.level ? [] : [`now a ${after.level.toUpperCase()}`]
  const standing =
    before.provisional === after.provisional ? [] : [after.provisional ? 'no longer counts' : 'counts now']
  return [verdict, ...level, ...standing].join(', ')
}
