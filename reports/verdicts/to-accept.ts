/** Entries for a policy that accept the required checks without a result, as few as possible. */
import type { Finding, Run } from '../bundle/record.ts'
import { visibleLine } from '../visible.ts'

const mostReason = 70

/** What stands above the entries. */
export const howToAccept =
  'To test them, provide what is listed under "Not tested". To accept them, add to `expectedNotExercised` of the policy:'

/** What stands below them when there are more. */
export const moreToAccept = (count: number): string =>
  `${count} more: \`touchstone baseline\` writes a policy with all of them`

/** The exit code of a gate that only misses results. */
const resultsMissing = 3

/** A line of YAML for each entry; none if the gate fails for something that has to be corrected first. */
export function entriesToAccept({ record: { findings, gate, exitCode } }: Run): readonly string[] {
  if (exitCode !== resultsMissing) return []
  const missing = new Set(gate.missing)
  const wanted = findings.filter(({ check }) => missing.has(check))
  const patterns = Map.groupBy(wanted, (finding) => patternFor(finding, wanted, findings))
  return [...patterns].map(([pattern, [first]]) => {
    const reason = first === undefined ? '' : reasonOf(first)
    return `- { pattern: ${pattern}, reason: ${JSON.stringify(reason)} }`
  })
}

/** The scenario if nothing of it has a result, or the area if that is so for several scenarios; otherwise the check. */
function patternFor(
  { check, area, scenario, reason }: Finding,
  wanted: readonly Finding[],
  findings: readonly Finding[],
): string {
  // Only an entry with the whole id accepts what a lost request left without a result.
  if (reason === 'target-unavailable') return check
  const scenarios = new Set(wanted.filter((one) => one.area === area).map((one) => one.scenario))
  if (scenarios.size > 1 && findings.every((one) => one.area !== area || hasNoResult(one))) return area
  return findings.every((one) => one.scenario !== scenario || hasNoResult(one)) ? scenario : check
}

const hasNoResult = ({ verdict, reason }: Finding): boolean =>
  (verdict === 'not-exercised' || verdict === 'inconclusive') && reason !== 'target-unavailable'

/** What comes after a semicolon says what to do. */
function reasonOf({ detail, reason, verdict }: Finding): string {
  const [words = ''] = (detail ?? '').split(/[;\n]/)
  const text = visibleLine(words.trim() || (reason ?? verdict)).replaceAll('`', "'")
  return text.length > mostReason ? `${text.slice(0, mostReason).toWellFormed()}…` : text
}
