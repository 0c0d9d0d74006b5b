/** A policy as YAML, in which each entry says above it which clause it is about and what was seen. */
import { Document, isCollection, isMap, isScalar, isSeq } from 'yaml'
import { subjectOf } from '../../reports/run/subject.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import type { Policy } from '../../suites/policy/policy.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'

const mostText = 160

export function policyYaml(policy: Policy, record: RunRecord): string {
  const { knownFailures, flaky, expectedNotExercised } = policy
  const lists = { knownFailures, flaky, expectedNotExercised }
  const document = new Document(withoutPlaces(lists))
  document.commentBefore = headOf(record)
  const findingOf = new Map(record.findings.map((finding) => [finding.check, finding]))
  const about = (check: string): string => commentOf(findingOf.get(check), record)
  comment(
    document,
    'knownFailures',
    knownFailures.map(({ check }) => about(check)),
  )
  comment(
    document,
    'flaky',
    flaky.map(({ check }) => about(check)),
  )
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key)) key.spaceBefore = true
  return document.toString({ lineWidth: 0 })
}

/** Where an entry was read from is not where it will be. */
function withoutPlaces(policy: Policy): Record<string, readonly object[]> {
  const bare = (entries: readonly { at?: string }[]): readonly object[] =>
    entries.map((entry) => ({ ...entry, at: undefined }))
  return Object.fromEntries(Object.entries(policy).map(([name, entries]) => [name, bare(entries)]))
}

function headOf({ run, target, plan, contract }: RunRecord): string {
  return [
    ` Written by \`touchstone baseline\` from run ${run.id} of ${run.endedAt.slice(0, 10)} against ${line(target.name)}:`,
    ` ${plan.checks.length} checks, clauses of ${contract.revision}. ${goesTo(target)}`,
  ].join('\n')
}

/** A client has no target file. */
function goesTo({ kind }: RunRecord['target']): string {
  return kind === 'client'
    ? 'For `touchstone client --policy`.'
    : 'For `policy` in a target file: as it is, or by the path of this file.'
}

function comment(document: Document, name: string, comments: readonly string[]): void {
  const list = document.get(name)
  if (!isSeq(list)) return
  list.items.forEach((item, i) => {
    if (!isCollection(item)) return
    item.commentBefore = comments[i] ?? ''
    item.spaceBefore = i > 0
  })
}

function commentOf(finding: Finding | undefined, { target }: RunRecord): string {
  if (!finding) return ' Not asked for in this run.'
  const { subject, level, expected, got } = finding
  const seen = expected === undefined ? [] : [` Expected ${line(expected)}, got ${line(got ?? 'nothing')}.`]
  return [` ${subject} (${level}): ${subjectOf(subject, target.identifiers).text}`, ...seen].join('\n')
}

function line(text: string): string {
  return visibleLine(shorten(text, mostText))
}
