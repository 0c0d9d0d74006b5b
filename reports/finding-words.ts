/** A finding in the words of reports that have one message and one longer text for it. */
import type { Finding } from '../suites/record.ts'
import { reasons } from './reasons.ts'
import { standingOf } from './standing.ts'
import { subjectOf } from './subject.ts'
import { verdictWords } from './verdicts.ts'

/** One line: of a failure what was expected and got, of anything else its verdict with the reason. */
export function messageOf(finding: Finding): string {
  const { verdict, reason, detail } = finding
  const difference = `expected ${finding.expected ?? 'nothing recorded'}, got ${finding.got ?? 'nothing recorded'}`
  if (verdict === 'fail') return [standingOf(finding), difference].filter(Boolean).join(': ')
  const parts = [verdictWords[verdict].word, reason ? reasons[reason].says : '', detail ?? '']
  return parts.filter((part) => part !== '').join(': ')
}

/** Clause, source, story and what was seen, a line each. */
export function storyOf(finding: Finding): readonly string[] {
  const { text, source } = subjectOf(finding.subject)
  const { title, expected, got, detail, evidence } = finding
  return [
    `${finding.subject} (${finding.level}): ${text}`,
    `contract: ${source}`,
    `scenario: ${title}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(got === undefined ? [] : [`got: ${got}`]),
    ...(detail === undefined ? [] : [`detail: ${detail}`]),
    ...(evidence.length === 0 ? [] : [`exchanges in journal.ndjson: ${evidence.join(', ')}`]),
  ]
}
