/** Judges the journal again and compares the verdicts with the recorded ones. */
import { isDeepStrictEqual } from 'node:util'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { version } from '../version.ts'
import { isOfThisSuite } from './answers.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import {
  notVerified,
  countOf,
  holds,
  incomplete,
  notChecked,
  type InspectionLine,
} from '../../reports/bundle/verify/line.ts'
import { bundleIn } from './reports.ts'

export function inspectVerdicts(bundle: OpenedBundle): InspectionLine {
  const { record, cutOff } = bundle
  if (cutOff) return incomplete('no verdicts were written')
  if (record === null) return notChecked('not judged again: there is no record')
  const read = bundleIn(bundle)
  if (typeof read === 'string') return notVerified('the run cannot be judged again', [read])
  const withheld = new Set<string>()
  const more: Finding[] = []
  const again = rejudge(read.run, scenariosFor(record), read.basis, {
    onKept: (check) => void withheld.add(check),
    onMore: (finding) => void more.push(finding),
  })
  const asked = new Set(omitted(record))
  const others = [
    ...again.findings.flatMap((finding, at) => changeOf(record.findings[at], finding)),
    ...more
      .filter(({ check }) => !asked.has(check))
      .map(
        ({ check, verdict }) => `${check}: the journal gives ${verdict}, and the record has no such check`,
      ),
  ]
  const unfinished = unfinishedIn(record)
  const number = record.findings.length - unfinished - withheld.size
  const words = `${countOf(number, 'verdict')} recomputed from the journal`
  const kept = [
    ...(unfinished === 0 ? [] : [`; ${unfinished} not recomputed (the scenario was not completed)`]),
    ...(withheld.size === 0 ? [] : [`; ${withheld.size} not recomputed (the webhook secret is redacted)`]),
  ].join('')
  if (others.length === 0) return beside(more, `${words}: same${kept}`)
  return isOfThisSuite(record) && record.tool.version === version()
    ? notVerified('the journal gives other verdicts', others)
    : { ...incomplete(`${words}, by another version than at the time${kept}`), problems: others }
}

function omitted({ plan }: RunRecord): readonly string[] {
  return plan.leftOut.flatMap(({ by, checks }) => (by === 'selection' ? checks : []))
}

/** What a selection left out and the journal shows to be broken all the same is no part of the answers. */
function beside(more: readonly Finding[], words: string): InspectionLine {
  const failed = more.filter(({ verdict }) => verdict === 'fail')
  if (failed.length === 0) return holds(words)
  const problems = failed.map(
    ({ check }) => `${check}: the selection left it out, and the journal gives fail`,
  )
  return { ...incomplete(`${words}; ${countOf(failed.length, 'further check')} would fail`), problems }
}

function changeOf(before: Finding | undefined, now: Finding): readonly string[] {
  if (before?.verdict !== now.verdict || before.reason !== now.reason)
    return [
      `${now.check}: is stated as ${before?.verdict ?? 'nothing'}, and the journal gives ${now.verdict}`,
    ]
  const other = comparedMembers.filter((member) => !isDeepStrictEqual(before[member], now[member]))
  return other.map((member) => `${now.check}: ${member} is stated otherwise than the journal gives it`)
}

/** Members of a finding that describe the target. */
const comparedMembers = [
  'evidence',
  'states',
  'detail',
  'expected',
  'got',
  'expect',
  'cited',
  'fingerprint',
] as const

/** The number of findings whose scenario the journal does not record to its end. */
function unfinishedIn({ findings, scenarioRuns: scenarios }: RunRecord): number {
  const finished = new Set(
    scenarios
      .filter(({ ending }) => !(ending?.is === 'not-exercised' && ending.reason === 'interrupted'))
      .map(({ scenario }) => scenario),
  )
  return findings.filter(({ check, subject }) => !finished.has(check.slice(0, -subject.length - 1))).length
}
