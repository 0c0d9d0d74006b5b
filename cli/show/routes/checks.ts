/** Checks of a run, in the order of the contract, filtered. */
import type { Finding } from '../../../reports/bundle/record.ts'
import { messageOf } from '../../../reports/findings/finding-words.ts'
import { subjectOf } from '../../../reports/run/subject.ts'
import { byArea } from '../../../reports/verdicts/tally.ts'
import { shorten, visibleLine } from '../../../reports/visible.ts'
import type { CheckItem, CheckList } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { othersIn, type OthersOf } from './others.ts'
import { listPart } from './pages.ts'

const longestBrief = 200

export async function checkList(runs: OpenedRuns, run: NamedRun, query: URLSearchParams): Promise<CheckList> {
  const { findings, record } = runs.record(run)
  const text = query.get('text') ?? ''
  const exchanges = text === '' ? new Set<number>() : await (await runs.journal(run)).containing(text)
  const hasText = (finding: Finding): boolean =>
    finding.evidence.some((id) => exchanges.has(id)) || wordsIn(finding, record).includes(text.toLowerCase())
  const [verdicts, area, clause] = ['verdict', 'area', 'clause'].map((name) => query.get(name) ?? '')
  const wanted = new Set(verdicts?.split(',').filter((one) => one !== ''))
  const found = [...byArea(findings).values()]
    .flat()
    .filter(({ verdict }) => wanted.size === 0 || wanted.has(verdict))
    .filter((finding) => !area || finding.area === area)
    .filter(({ subject }) => !clause || subject.toLowerCase().includes(clause.toLowerCase()))
    .filter((finding) => text === '' || hasText(finding))
  const { total, items } = listPart(found, query)
  const others = othersIn(runs, run)
  return { total, items: items.map((finding) => checkItem(finding, others)) }
}

function wordsIn(finding: Finding, about: Parameters<typeof subjectOf>[1]): string {
  const { check, title, expected, got, detail, subject } = finding
  return [check, title, expected, got, detail, subjectOf(subject, about).text].join('\n').toLowerCase()
}

export function checkItem(finding: Finding, others: OthersOf): CheckItem {
  const { check, subject, area, level, scenario, title, verdict } = finding
  const brief = verdict === 'pass' ? '' : visibleLine(shorten(briefOf(finding), longestBrief))
  return {
    check,
    clause: subject,
    area,
    level,
    scenario,
    title,
    verdict,
    brief,
    others: [...others(check)],
  }
}

/** Its verdict stands beside it. */
const briefOf = (finding: Finding): string =>
  finding.got === undefined ? (finding.detail ?? messageOf(finding)) : `got ${finding.got}`
