/** One page over several runs: MUST clauses of each version by areas, and which fail since when. */
import { clauseIds, clauses, type ClauseId } from '../spec/index.ts'
import { clauseSetWords } from './bundle/clause-set.ts'
import { narrowedBy, type Run, type RunRecord } from './bundle/record.ts'
import { clockTime } from './duration.ts'
import { documentOf } from './html/elements/document.ts'
import { html, type Markup } from './html/elements/escape.ts'
import { numberTable, wordTable } from './html/elements/table.ts'
import { counted, part, prose, signed } from './html/elements/words.ts'
import { answerOf, scopeTexts } from './run/scope.ts'
import { targetNoun } from './run/target-words.ts'
import { clauseRows } from './verdicts/clause-verdicts.ts'
import { coverageByArea, coverageKindOf, coverageOf, type Coverage } from './verdicts/coverage.ts'

/** What of a run is kept: the exchanges of all of them would not be in memory together. */
export interface PastRun {
  folder: string
  record: Omit<RunRecord, 'findings' | 'plan'>
  /** Such as `partial (smoke profile)`, with its sign and tone. */
  answer: ReturnType<typeof answerOf>
  /** What was left out by choice. */
  scope: readonly string[]
  /** Not of a selection, a shard or the smoke profile. */
  whole: boolean
  areas: ReadonlyMap<string, Coverage>
  all: Coverage
  /** MUST clauses with a result: whether they passed. */
  passed: ReadonlyMap<ClauseId, boolean>
}

export function pastRun(folder: string, run: Run): PastRun {
  const rows = clauseRows(run)
  const { findings: _, plan: __, ...record } = run.record
  const passed = rows.flatMap((row) => {
    const kind = coverageKindOf(row)
    return kind === 'passed' || kind === 'failed' ? [[row.clause, kind === 'passed'] as const] : []
  })
  return {
    folder,
    record,
    answer: answerOf(run.record),
    scope: scopeTexts(run.record),
    whole: narrowedBy(run.record) === null,
    areas: new Map(coverageByArea(rows)),
    all: coverageOf(rows),
    passed: new Map(passed),
  }
}

/** One HTML file without scripts. */
export function historyPage(runs: readonly PastRun[]): string {
  const sorted = runs.toSorted((one, other) => (one.record.run.endedAt < other.record.run.endedAt ? -1 : 1))
  const targets = [...Map.groupBy(sorted, subjectOf)]
  const body = html`<header>
      <p class="eyebrow">${counted(runs.length, 'run')} of ${counted(targets.length, 'target')}</p>
      <h1>History</h1>
      <p>
        A version is as its newest whole run has it. Signatures are not verified here:
        <code>touchstone verify</code>
        does that.
      </p>
    </header>
    <main>
      ${targets.map(
        ([name, own], at) =>
          html`<section class="lane">
            <h2>${name}</h2>
            ${part(`failing-${at}`, 'Failing now', failing(own))}
            ${part(`versions-${at}`, 'Versions by areas', versions(own))}
            ${part(`runs-${at}`, 'Runs', [runTable(own)])}
          </section>`,
      )}
    </main>`
  return documentOf('History of runs', body)
}

/** Runs of one target are of one kind: a pass of staging says nothing of production. */
const subjectOf = ({ record: { target } }: PastRun): string =>
  `${target.name} (${target.kind === 'client' ? targetNoun(target).slice(2) : target.kind})`

const versionOf = ({ record }: PastRun): string =>
  record.target.version ?? `run of ${clockTime(record.run.endedAt)}`

/** Such as `4.2.1 (2026-11-01 12:30:00 UTC)`. */
const whenOf = (run: PastRun): string =>
  run.record.target.version === undefined
    ? versionOf(run)
    : `${versionOf(run)} (${clockTime(run.record.run.endedAt)})`

/** By the last result of each clause: a run that did not test it changes nothing. */
function failing(runs: readonly PastRun[]): readonly Markup[] {
  const rows = clauseIds.flatMap((clause) => {
    const known = runs.filter(({ passed }) => passed.has(clause))
    const last = known.at(-1)
    if (last === undefined || last.passed.get(clause) === true) return []
    const passedAt = known.findLastIndex(({ passed }) => passed.get(clause) === true)
    const since = known[passedAt + 1] ?? last
    return [{ clause, since, before: known[passedAt], last }]
  })
  if (rows.length === 0) return [html`<p>${signed('✓', 'No MUST clause fails.', 'good')}</p>`]
  const order = new Map(runs.map((run, at) => [run, at]))
  const newestFirst = rows.toSorted(
    (one, other) => (order.get(other.since) ?? 0) - (order.get(one.since) ?? 0),
  )
  return [
    wordTable(
      'MUST clauses whose last result is a failure, waived or not; the newest first',
      ['clause', 'fails since', 'passed last in', 'last tested in'],
      newestFirst.map(({ clause, since, before, last }) => ({
        head: html`<code>${clause}</code> ${prose(clauses[clause].text)}`,
        cells: [whenOf(since), before === undefined ? 'no run here' : whenOf(before), whenOf(last)],
      })),
    ),
  ]
}

/** Columns; a page is read, and a folder may have hundreds of versions. */
const mostVersions = 12

function versions(runs: readonly PastRun[]): readonly Markup[] {
  const byWhole = [false, true].flatMap((whole) => runs.filter((run) => run.whole === whole))
  const newest = [...new Map(byWhole.map((run) => [versionOf(run), run]))]
  // In the order of their newest runs.
  const shown = newest
    .toSorted(([, one], [, other]) => runs.indexOf(one) - runs.indexOf(other))
    .slice(-mostVersions)
  const areas = [...new Set(shown.flatMap(([, { areas: own }]) => [...own.keys()]))]
  const rest = newest.length - shown.length
  return [
    numberTable(
      'MUST clauses that passed, by area and version',
      ['area', ...shown.map(([version]) => version)],
      areas.map((area) => ({ head: area, cells: shown.map(([, run]) => cell(run.areas.get(area))) })),
      { head: 'all areas', cells: shown.map(([, { all }]) => cell(all)) },
    ),
    ...(rest > 0 ? [html`<p>${counted(rest, 'older version')} not shown.</p>`] : []),
  ]
}

function cell(coverage: Coverage | undefined): Markup {
  if (coverage === undefined) return html`·`
  const { counts, all } = coverage
  if (counts.failed > 0) return signed('✗', `${counts.failed} failed, ${counts.passed} of ${all}`, 'bad')
  if (counts['not tested'] > 0) return signed('–', `${counts.passed} of ${all}`, 'doubt')
  return signed('✓', `${counts.passed} of ${all}`, 'good')
}

function runTable(runs: readonly PastRun[]): Markup {
  return wordTable(
    'The newest first',
    ['run', 'result', 'gate', 'clause set', 'left out', 'folder'],
    runs.toReversed().map((run) => {
      const { record, answer, scope, folder } = run
      return {
        head: whenOf(run),
        cells: [
          signed(answer.sign, answer.word, answer.tone),
          record.gate.passed ? 'passed' : `failed (exit code ${record.exitCode})`,
          clauseSetWords(record.contract),
          scope.join('; ') || 'nothing',
          html`<code>${folder}</code>`,
        ],
      }
    }),
  )
}
