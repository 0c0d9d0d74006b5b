/** A policy as YAML, in which each entry says above it which clause it is about and what was seen. */
import { Document, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { isObject } from '../../spec/json.ts'
import { subjectOf } from '../../reports/run/subject.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import type { Policy } from '../../suites/policy/policy.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'

const mostText = 160

/** `earlier`: the text of the policy that it replaces, whose comments are kept where the entry is the same. */
export function policyYaml(policy: Policy, record: RunRecord, earlier: string | null = null): string {
  const { knownFailures, flaky, expectedNotExercised } = policy
  const lists = { knownFailures, flaky, expectedNotExercised }
  const document = new Document(withoutPlaces(lists))
  document.commentBefore = [headOf(record), ...ownHead(earlier)].join('\n')
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
  if (earlier !== null) keepEntries(document, parseDocument(earlier))
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key)) key.spaceBefore = true
  return document.toString({ lineWidth: 0 })
}

/** The lines of the head of an earlier policy that somebody added. */
function ownHead(earlier: string | null): readonly string[] {
  const head = earlier === null ? null : parseDocument(earlier).commentBefore
  return head?.split('\n').filter((text) => !/^ Written by `|^ \d+ checks, clauses of/.test(text)) ?? []
}

/** Puts the entries of an earlier policy, with their comments, in place of the same ones. */
function keepEntries(document: Document, earlier: Document): void {
  for (const name of ['knownFailures', 'flaky', 'expectedNotExercised']) {
    const [list, before] = [document.get(name), earlier.get(name)]
    if (!isSeq(list) || !isSeq(before)) continue
    // The parser gives the comment above the first entry to the list.
    const [first] = before.items
    if (isCollection(first)) first.commentBefore ??= before.commentBefore ?? null
    const known = new Map(before.items.map((item) => [meaningOf(item), item]))
    list.items.forEach((item, i) => void (list.items[i] = known.get(meaningOf(item)) ?? item))
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

/** The same for entries that differ only in comments and in the order of their members. */
function meaningOf(item: unknown): string {
  const value: unknown = isCollection(item) ? item.toJSON() : item
  return JSON.stringify(isObject(value) ? Object.entries(value).toSorted(byName) : value)
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

function commentOf(finding: Finding | undefined, record: RunRecord): string {
  if (!finding) return ' Not asked for in this run.'
  const { subject, level, expected, got } = finding
  const seen = expected === undefined ? [] : [` Expected ${line(expected)}, got ${line(got ?? 'nothing')}.`]
  return [` ${subject} (${level}): ${subjectOf(subject, record).text}`, ...seen].join('\n')
}

function line(text: string): string {
  return visibleLine(shorten(text, mostText))
}
