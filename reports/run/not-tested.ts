/** Checks and clauses without a result, by reason, with what to do about each. */
import type { Finding, Run } from '../../bundle/record.ts'
import { badge, counted, present, type Block, type Card, type Words } from '../document/blocks.ts'
import { listed } from '../findings/card.ts'
import { coverageKindOf, type ClauseRow } from '../verdicts/clauses.ts'
import { groupsOf, leftOutReasons } from '../verdicts/reasons.ts'
import { subjectOf, textsOf } from './words.ts'

const mostDetails = 40
const mostDetailsInBrief = 8

/** Without a result, by reason, with what to do about each. `brief`: names in place of sentences. */
export function notTestedCards(rows: readonly Finding[], run: Run, brief: boolean): readonly Card[] {
  return groupsOf(rows).map(({ says, provide, findings, details }) =>
    notTestedCard(
      {
        title: `${counted(findings.length, 'check')} ${textsOf(run.record.target).notRun}: ${says}`,
        provide,
        details: brief ? inBrief(details) : details,
        clauses: [...new Set(findings.map(({ subject }) => subject))],
      },
      run,
      brief,
    ),
  )
}

interface NotTested {
  title: string
  provide: string
  details?: readonly string[]
  clauses: readonly string[]
}

function notTestedCard({ title, provide, details = [], clauses }: NotTested, run: Run, brief = false): Card {
  const items = clauses.map((clause) => sentence(clause, run))
  return {
    badge: badge('not-exercised', run.record.findings),
    title,
    blocks: present<Block>(
      { words: [{ strong: 'What to do:' }, ' ', provide] },
      details.length > 0 && { items: details, most: brief ? mostDetailsInBrief : mostDetails },
      brief
        ? { words: listed(clauses) }
        : { fold: counted(clauses.length, 'clause'), blocks: [{ items, most: Infinity }] },
    ),
  }
}

/** The lines to paste of the first detail that has them; those of the others are alike. */
function inBrief(details: readonly string[]): readonly string[] {
  const pasted = details.find((detail) => detail.includes('\n'))
  return details.map((detail) =>
    detail === pasted
      ? detail
      : (detail.split('\n')[0]?.replace(detail.includes('\n') ? /:$/ : /$^/, '') ?? ''),
  )
}

const sentence = (clause: string, { record }: Run): Words => [
  subjectOf(clause, record).text,
  ' ',
  { code: clause },
]

export function notTestedBlocks(
  rows: readonly Finding[],
  clauses: readonly ClauseRow[],
  run: Run,
): readonly Block[] {
  const open = clauses.filter((row) => coverageKindOf(row) === 'not tested')
  // Clauses without a check in this run, by what left their checks out.
  const entries = run.record.plan.leftOut.flatMap(({ by, checks }) =>
    checks.map((check) => [check.slice(check.lastIndexOf('/') + 1), by] as const),
  )
  const by = new Map(entries)
  const unplanned = open.filter(({ verdict }) => verdict === 'not-planned')
  const groups = Map.groupBy(unplanned, ({ clause }) => by.get(clause) ?? 'not-declared')
  const notPlanned = [...groups].map(([reason, own]) => {
    const { says, provide } = leftOutReasons[reason]
    const title = `${counted(own.length, 'MUST clause')} not planned: ${says}`
    return notTestedCard({ title, provide, clauses: own.map(({ clause }) => clause) }, run)
  })
  const inconclusive = rows.filter(({ verdict }) => verdict === 'inconclusive').length
  const untestable = clauses.filter((row) => coverageKindOf(row) === 'untestable')
  return present<Block>(
    open.length === 0 && { words: 'Every testable MUST clause has a result.' },
    { cards: [...notPlanned, ...notTestedCards(rows, run, false)] },
    inconclusive > 0 && {
      words: [
        { to: '#inconclusive', says: `${counted(inconclusive, 'check')} inconclusive` },
        ': they ran without a result.',
      ],
    },
    untestable.length > 0 && {
      fold: `${counted(untestable.length, 'MUST clause')} that cannot be tested from outside`,
      blocks: [{ items: untestable.map(({ clause, why }) => [sentence(clause, run), `: ${why ?? ''}`]) }],
    },
  )
}
