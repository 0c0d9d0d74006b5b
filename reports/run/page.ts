/** The page of a run: the first screen, links, a summary of two printed pages, and an appendix with all evidence. */
import { ownCommand } from '../../bundle/curl.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import { requestsOverTime } from '../chart/requests.ts'
import { changesBlocks, changesTile } from '../diff/document.ts'
import {
  counted,
  present,
  sectionPart,
  type Block,
  type Piece,
  type Section,
  type Tile,
  type Words,
} from '../document/blocks.ts'
import { htmlOf, type Page } from '../document/html.ts'
import { cardsOf, causeCards, commandOf, lineOf, startBlocks } from '../findings/card.ts'
import { alike } from '../findings/causes.ts'
import type { Beside, Exporter } from '../formats/exporter.ts'
import {
  clauseRows,
  coverageOf,
  coverageKindWord,
  coverageWords,
  percentPassed,
  rowsOf,
  type ClauseRow,
} from '../verdicts/clauses.ts'
import {
  countsLine,
  daysLeft,
  isFailure,
  parted,
  verdictWords,
  type VerdictWords,
} from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { auditorSection } from './auditor.ts'
import {
  aboutRun,
  answerBlocks,
  bannersOf,
  coverageBlocks,
  coverageMeans,
  coverageSigns,
  placeInRun,
  shownKinds,
  toAccept,
  waivedOf,
  waiverBlocks,
} from './parts.ts'
import { answerOf, ranOf } from './scope.ts'
import { howToDeclareVersion, sourceLine, textsOf, underTest } from './words.ts'

export const htmlPage: Exporter = {
  name: 'html',
  file: 'report.html',
  render: (run, beside) => htmlOf(pageOf(run, beside)),
}

/** What a reader of the title alone has to know. */
const asides: Readonly<Record<string, string>> = { simulator: ' (simulator run)', client: ' (client)' }

export function pageOf(run: Run, beside: Beside = { files: new Set() }): Page {
  const { record } = run
  const { target, tool } = record
  const all = rowsOf(run)
  const { together, apart } = parted(all)
  const clauses = clauseRows(run)
  return {
    title: `${answerOf(record).word}: ${target.name}${asides[target.kind] ?? ''}`,
    eyebrow: `Contract report, clauses of ${record.contract.revision}`,
    heading: target.name,
    head: headOf(run, beside, clauses, together),
    sections: [failuresSection(together, run), releaseSection(together, clauses, run)],
    appendix: [developerSection(together, run, beside), auditorSection({ together, apart, clauses }, run)],
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
      tiles: shownKinds(coverage, target).map((kind) => {
        const { sign, tone, at } = coverageSigns[kind]
        const count = coverage.counts[kind]
        const says = `${count}${kind === 'passed' ? ` (${percentPassed(coverage)} %)` : ''}`
        return {
          name: `MUST clauses ${coverageKindWord(kind, target)}`,
          at,
          value: { sign, says, tone: count > 0 ? tone : 'quiet' },
          detail: coverageMeans(kind, target),
        }
      }),
    },
    { words: `${coverageWords(coverage, target)}.`, kind: 'said' },
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
  const ran = ranOf(run)
  const waived = waivedOf(record.findings)
  const [next] = waived.map(({ waived: { expires } }) => expires)
  const { actor, ci, host, job } = record.run.origin ?? {}
  const value = (says: string, { sign, tone }: Pick<VerdictWords, 'sign' | 'tone'>): Piece => ({
    sign,
    says,
    tone,
  })
  const quiet = (says: string): Piece => value(says, verdictWords['not-applicable'])
  return [
    {
      name: textsOf(record.target).failedChecks,
      at: 'failures',
      value: failed === 0 ? value('none', verdictWords.pass) : value(String(failed), verdictWords.fail),
      detail: present(
        errors > 0 && `including ${counted(errors, 'error')} of Touchstone`,
        warnings > 0 && `and ${counted(warnings, 'warning')}`,
      ).join(', '),
    },
    { name: 'Checks', at: 'identity', value: value(ran.count, ran), detail: ran.of },
    { name: 'Since the last run', at: 'changes', value: changesTile(changes) },
    {
      name: 'Waivers',
      at: 'waivers',
      value: next === undefined ? quiet('none') : value(String(waived.length), verdictWords['not-exercised']),
      detail: next && `next expires ${next}, ${daysLeft(next, record.run.endedAt)}`,
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
      detail: record.signing && 'check it with `touchstone verify`',
    },
  ]
}

/** By cause, as in the terminal. On paper it follows the summary. */
function failuresSection(rows: readonly Finding[], run: Run): Section {
  const { failures, noFailure } = textsOf(run.record.target)
  const found = rows.filter(isFailure)
  return {
    id: 'failures',
    title: failures,
    blocks:
      found.length === 0
        ? [{ words: noFailure }]
        : [...startBlocks(run), { cards: causeCards(found, rows, run, true) }],
  }
}

const mostFailures = 8

/** Two pages on paper, before all evidence. */
function releaseSection(rows: readonly Finding[], clauses: readonly ClauseRow[], run: Run): Section {
  const { record } = run
  const { failures, noFailure } = textsOf(record.target)
  const groups = alike(rows.filter(isFailure))
  const lines = groups.slice(0, mostFailures).map((group) => lineOf(group, run, 100))
  const rest = groups.length - lines.length
  const items = present<Words>(...lines, rest > 0 && { to: '#failures', says: `${rest} more` })
  const key = record.signing === undefined ? '' : ' --key PUBLIC_KEY.pem'
  const signed = record.signing
    ? `It is signed with key \`${record.signing.keyid}\`; get the public key from whoever signed, not from this folder.`
    : 'The report is not signed, so this does not show who made it.'
  const howToVerify: readonly Block[] = [
    { fields: [['command', { code: `${ownCommand} verify FOLDER${key} --rejudge` }]] },
    {
      words: `in the folder of this report checks that no file was changed, and evaluates the recorded exchanges again. ${signed}`,
    },
  ]
  return {
    id: 'release',
    title: 'Summary for release managers',
    short: 'Release managers',
    blocks: [],
    sections: [
      sectionPart('by-area', 'MUST clauses by area', 'coverage by area', coverageBlocks(clauses, run)),
      sectionPart('failed', `${failures}, one line each`, `${failures.toLowerCase()} in short`, [
        items.length === 0 ? { words: noFailure } : { items },
      ]),
      sectionPart('waivers', 'Waivers', 'waivers', waiverBlocks(record, 6)),
      sectionPart('origin', 'Who ran it, and when', 'who ran it', [aboutRun(record)]),
      sectionPart('verify', 'How to verify this report', 'verify', howToVerify),
    ],
  }
}

function developerSection(rows: readonly Finding[], run: Run, beside: Beside): Section {
  const only = (wanted: Finding['verdict']): readonly Block[] => {
    const found = rows.filter(({ verdict }) => verdict === wanted)
    return found.length === 0 ? [] : [{ cards: cardsOf(found, run) }]
  }
  const picture = requestsOverTime(run)
  const traffic =
    picture.markup === '' ? [] : [{ picture, caption: 'Requests per minute against the rate limit' }]
  const words = `This run was not compared with an earlier one: \`touchstone ${commandOf(run.record)} … --since FOLDER\` does it, where \`FOLDER\` is that of the earlier run.`
  return {
    id: 'developer',
    title: 'For developers',
    short: 'Developers',
    blocks: [],
    sections: [
      sectionPart(
        'changes',
        'Changes since the last run',
        'changes',
        beside?.changes ? changesBlocks(beside.changes) : [{ words }],
      ),
      sectionPart('warnings', 'Warnings', 'Warnings', only('warn')),
      sectionPart('inconclusive', 'Inconclusive', 'Inconclusive', only('inconclusive')),
      sectionPart('traffic', 'Requests over time', 'requests over time', traffic),
    ],
  }
}
