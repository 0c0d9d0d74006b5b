/** The page of a run: the first screen, links, a summary of two printed pages, and an appendix with all evidence. */
import { ownCommand } from '../bundle/own-command.ts'
import type { Finding, Run, RunRecord } from '../bundle/record.ts'
import { requestsOverTime } from '../chart/requests.ts'
import { changesBlocks, changesTile } from '../diff/document.ts'
import {
  counted,
  sectionPart,
  type Block,
  type Piece,
  type Section,
  type Tile,
  type Words,
} from '../document/blocks.ts'
import { htmlOf, type Page } from '../document/html.ts'
import { cardsOf, lineOf, type CardContext } from '../findings/card.ts'
import { alike } from '../findings/causes.ts'
import { commandOf } from '../findings/check-again.ts'
import type { Beside, Exporter } from '../formats/exporter.ts'
import {
  clauseRows,
  coverageOf,
  coverageWords,
  percentPassed,
  rowsOf,
  type ClauseRow,
} from '../verdicts/clauses.ts'
import { countsLine, daysLeft, parted } from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { auditorSection, pictures } from './auditor.ts'
import {
  aboutRun,
  answerBlocks,
  bannersOf,
  coverageBlocks,
  otherSetBlocks,
  placeInRun,
  shownKinds,
  targetKindWords,
  toAccept,
  waivedOf,
  waiverBlocks,
} from './parts.ts'
import { answerOf, planKept } from './scope.ts'
import { howToDeclareVersion, sourceLine, underTest } from './words.ts'

export const htmlPage: Exporter = {
  name: 'html',
  file: 'report.html',
  render: (run, beside) => htmlOf(pageOf(run, beside)),
}

/** What whoever reads the title alone has to know. */
const asides: Readonly<Record<string, string>> = { simulator: ' (simulator run)', client: ' (client)' }

export function pageOf(run: Run, beside: Beside = { files: new Set() }): Page {
  const { record } = run
  const { target, tool } = record
  const all = rowsOf(run)
  const { together, apart } = parted(all)
  const clauses = clauseRows(run)
  const context = { run, beside }
  return {
    title: `${answerOf(record).word}: ${target.name}${asides[target.kind] ?? ''}`,
    eyebrow: `Contract report, clauses of ${record.contract.revision}`,
    heading: target.name,
    head: headOf(run, beside, clauses, together),
    sections: [releaseSection(together, clauses, run)],
    appendix: [developerSection(together, context), auditorSection({ together, apart, clauses }, context)],
    foot: [
      `${tool.name} ${tool.version}, run `,
      { code: record.run.id },
      '. This page is made from run.json and journal.ndjson, which take precedence.',
    ],
  }
}

function headOf(
  run: Run,
  beside: Beside,
  clauses: readonly ClauseRow[],
  rows: readonly Finding[],
): readonly Block[] {
  const { record } = run
  const { target } = record
  const product = [underTest(target), howToDeclareVersion(record)].filter(Boolean).join('; ')
  const coverage = coverageOf(clauses)
  return [
    ...bannersOf(run, beside.ends),
    { words: [placeInRun(target), product && `: ${product}`], kind: 'soft' },
    { answers: answerBlocks(run, clauses) },
    ...toAccept(run),
    {
      kind: 'coverage',
      tiles: shownKinds(coverage).map((kind) => {
        const { sign, tone, at, means } = targetKindWords[kind]
        const count = coverage.counts[kind]
        const says = `${count}${kind === 'passed' ? ` (${percentPassed(coverage)} %)` : ''}`
        return {
          name: `MUST clauses ${kind}`,
          at,
          value: { sign, says, tone: count > 0 ? tone : 'quiet' },
          detail: means,
        }
      }),
    },
    { words: `${coverageWords(coverage)}.`, kind: 'said' },
    { tiles: tilesOf(run, beside, rows) },
    { words: `Checks: ${countsLine(rowsOf(run))}.`, kind: 'soft' },
  ]
}

/** The numbers that both answers have to be read with. */
function tilesOf(run: Run, { changes }: Beside, rows: readonly Finding[]): readonly Tile[] {
  const { record } = run
  const of = (wanted: Finding['verdict']): number => rows.filter(({ verdict }) => verdict === wanted).length
  const [errors, warnings] = [of('error'), of('warn')]
  const failed = of('fail') + errors
  const details = [
    ...(errors > 0 ? [`including ${counted(errors, 'error')} of Touchstone`] : []),
    ...(warnings > 0 ? [`and ${counted(warnings, 'warning')}`] : []),
  ]
  const plan = planKept(run)
  const waived = waivedOf(record.findings)
  const [next] = waived.map(({ waived: { expires } }) => expires)
  const { actor, ci, host, job } = record.run.origin ?? {}
  const quiet = (says: string): Piece => ({ sign: '·', says, tone: 'quiet' })
  return [
    {
      name: 'Failed checks',
      at: 'failures',
      value:
        failed === 0
          ? { sign: '✓', says: 'none', tone: 'good' }
          : { sign: '✗', says: String(failed), tone: 'bad' },
      ...(details.length > 0 ? { detail: details.join(', ') } : {}),
    },
    {
      name: 'Plan',
      at: 'identity',
      value: { sign: { good: '✓', bad: '✗', doubt: '–' }[plan.tone], says: plan.count, tone: plan.tone },
      detail: plan.of,
    },
    { name: 'Since the last run', at: 'changes', value: changesTile(changes) },
    {
      name: 'Waivers',
      at: 'waivers',
      value: next === undefined ? quiet('none') : { sign: '–', says: String(waived.length), tone: 'doubt' },
      ...(next === undefined
        ? {}
        : { detail: `next expires ${next}, ${daysLeft(next, record.run.endedAt)}` }),
    },
    {
      name: 'Started by',
      at: 'origin',
      value: quiet(shorten(actor ?? ci ?? 'not recorded', 40)),
      detail: shorten([ci, job ?? host, sourceLine(record)].filter(Boolean).join('; '), 160),
    },
    {
      name: 'Signature',
      at: 'verify',
      value: quiet(record.signing ? `key ${record.signing.keyid.slice(0, 8)}` : 'unsigned'),
      ...(record.signing ? { detail: 'check it with `touchstone verify`' } : {}),
    },
  ]
}

const mostFailures = 8

/** Two pages on paper, before all evidence. */
function releaseSection(rows: readonly Finding[], clauses: readonly ClauseRow[], run: Run): Section {
  const { record } = run
  const groups = alike(rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'))
  const lines = groups.slice(0, mostFailures).map((group) => lineOf(group, run, 100))
  const rest = groups.length - lines.length
  const more: readonly Words[] = rest > 0 ? [{ to: '#failures', says: `${rest} more` }] : []
  return {
    id: 'release',
    title: 'Summary for release managers',
    short: 'Release managers',
    blocks: [],
    sections: [
      sectionPart('by-area', 'MUST clauses by area', 'coverage by area', coverageBlocks(clauses, run)),
      sectionPart('failed', 'Failures, one line each', 'failures in short', [
        groups.length === 0 ? { words: 'No check failed.' } : { items: [...lines, ...more] },
      ]),
      sectionPart('other-sets', 'Under other clause sets', 'other clause sets', otherSetBlocks(record)),
      sectionPart('waivers', 'Waivers', 'waivers', waiverBlocks(record, 6)),
      sectionPart('origin', 'Who ran it, and when', 'who ran it', [aboutRun(record)]),
      sectionPart('verify', 'How to verify this report', 'verify', howToVerify(record)),
    ],
  }
}

function howToVerify({ signing }: RunRecord): readonly Block[] {
  const key = signing === undefined ? '' : ' --key PUBLIC_KEY.pem'
  const signed = signing
    ? `It is signed with key \`${signing.keyid}\`; get the public key from whoever signed, not from this folder.`
    : 'The report is not signed, so this does not show who made it.'
  return [
    { words: { code: `${ownCommand} verify FOLDER${key} --rejudge` } },
    {
      words: `in the folder of this report checks that no file was changed, and evaluates the recorded exchanges again. ${signed}`,
    },
  ]
}

function developerSection(rows: readonly Finding[], context: CardContext): Section {
  const { run, beside } = context
  const only = (...verdicts: readonly Finding['verdict'][]): readonly Block[] => {
    const found = rows.filter(({ verdict }) => verdicts.includes(verdict))
    return found.length === 0 ? [] : [{ cards: cardsOf(found, context) }]
  }
  const failures = only('fail', 'error')
  const command = commandOf(run.record)
  return {
    id: 'developer',
    title: 'For developers',
    short: 'Developers',
    blocks: [],
    sections: [
      {
        id: 'failures',
        title: 'Failures',
        blocks: failures.length > 0 ? failures : [{ words: 'No check failed.' }],
      },
      {
        id: 'changes',
        title: 'Changes since the last run',
        short: 'changes',
        blocks: beside?.changes
          ? changesBlocks(beside.changes)
          : [
              {
                words: `This run was not compared with an earlier one: \`touchstone ${command} … --since FOLDER\` does it, where \`FOLDER\` is that of the earlier run.`,
              },
            ],
      },
      { id: 'warnings', title: 'Warnings', blocks: only('warn') },
      { id: 'inconclusive', title: 'Inconclusive', blocks: only('inconclusive') },
      {
        id: 'traffic',
        title: 'Requests over time',
        short: 'requests over time',
        blocks: pictures([[requestsOverTime(run), 'Requests per minute against the rate limit']]),
      },
    ],
  }
}
