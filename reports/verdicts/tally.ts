/** Counting findings. */
import { areas } from '../../spec/index.ts'
import type { Area } from '../../spec/index.ts'
import type { Finding, Verdict } from '../bundle/record.ts'
import { reportedOutcomeOf, verdictOrder } from './verdicts.ts'
import type { ReportedOutcome } from './verdicts.ts'

export type Tally = Record<Verdict, number>

export function tally(findings: readonly Finding[]): Tally {
  const counts = Object.fromEntries(verdictOrder.map((verdict) => [verdict, 0])) as Tally
  for (const { verdict } of findings) counts[verdict] += 1
  return counts
}

/** Findings by area, in the order of the contract. */
export function byArea(findings: readonly Finding[]): ReadonlyMap<Area, readonly Finding[]> {
  const grouped = Map.groupBy(findings, (finding) => finding.area)
  return new Map([...grouped].toSorted(([one], [other]) => place(one) - place(other)))
}

const order: readonly string[] = Object.keys(areas)

/** An area that this version does not know comes last. */
function place(area: string): number {
  const index = order.indexOf(area)
  return index === -1 ? order.length : index
}

export function outcomes(findings: readonly Finding[]): Record<ReportedOutcome, number> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const finding of findings) counts[reportedOutcomeOf(finding)] += 1
  return counts
}

/** Counts of a run in one line. What other formats can only call skipped is counted apart, under its own word. */
export function countsLine(findings: readonly Finding[]): string {
  const words = findings.map(closingWord)
  const count = (word: ClosingWord): number => words.filter((one) => one === word).length
  const shown = closingWords.filter((word, at) => at < 3 || count(word) > 0)
  return shown.map((word) => `${count(word)} ${word}`).join(', ')
}

const closingWords = [
  'passed',
  'failed',
  'skipped',
  'waived',
  'provisional',
  'not applicable',
  'observed',
] as const
type ClosingWord = (typeof closingWords)[number]

function closingWord(finding: Finding): ClosingWord {
  const outcome = reportedOutcomeOf(finding)
  if (outcome !== 'skipped') return outcome
  const { verdict, waived } = finding
  if (verdict === 'not-applicable') return 'not applicable'
  if (verdict === 'observed') return 'observed'
  return verdict === 'fail' || verdict === 'error' ? (waived ? 'waived' : 'provisional') : 'skipped'
}
