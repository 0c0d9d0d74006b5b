/** One page over several runs: MUST clauses of each version by areas, and which fail since when. */
import { clauseIds, clauses, type ClauseId } from '../spec/index.ts'
import { clauseSetWords } from '../bundle/clause-set.ts'
import { narrowedBy, type Run, type RunRecord } from '../bundle/record.ts'
import { clockTime, counted, type Block, type Words } from './document/blocks.ts'
import { htmlOf } from './document/html.ts'
import { answerOf, scopeTexts } from './run/scope.ts'
import { targetNoun } from './run/words.ts'
import { clauseRows, coverageByArea, coverageKindOf, coverageOf, type Coverage } from './verdicts/clauses.ts'

/** What of a run is kept: the exchanges of all of them would not be in memory together. */
export interface PastRun {
  folder: string
  record: Omit<RunRecord, 'findings' | 'plan'>
  /** Such as `partial (smoke profile)`, with its sign and tone. */
  answer: ReturnType<typeof answerOf>
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
  const kinds = rows.map((row) => [row.clause, coverageKindOf(row)] as const)
  const passed = kinds.flatMap(([clause, kind]) =>
    kind === 'passed' || kind === 'warned' || kind === 'failed' ? [[clause, kind !== 'failed'] as const] : [],
  )
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

export function historyPage(runs: readonly PastRun[]): string {
  const sorted = runs.toSorted((one, other) => (one.record.run.endedAt < other.record.run.endedAt ? -1 : 1))
  const targets = [...Map.groupBy(sorted, subjectOf)]
  const words =
    'A version is as its newest whole run has it. Signatures are not verified here: `touchstone verify` does that.'
  return htmlOf({
    title: 'History of runs',
    eyebrow: `${counted(runs.length, 'run')} of ${counted(targets.length, 'target')}`,
    heading: 'History',
    head: [{ words }],
    sections: targets.map(([name, own], at) => ({
      id: `target-${at}`,
      title: name,
      blocks: [],
      sections: [
        { id: `failing-${at}`, title: 'Failing now', blocks: [failing(own)] },
        { id: `versions-${at}`, title: 'Versions by areas', blocks: versions(own) },
        { id: `runs-${at}`, title: 'Runs', blocks: [runTable(own)] },
      ],
    })),
  })
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
function failing(runs: readonly PastRun[]): Block {
  const rows = clauseIds.flatMap((clause) => {
    const known = runs.filter(({ passed }) => passed.has(clause))
    const last = known.at(-1)
    if (last === undefined || last.passed.get(clause) === true) return []
    const passedAt = known.findLastIndex(({ passed }) => passed.get(clause) === true)
    const since = known[passedAt + 1] ?? last
    return [{ clause, since, before: known[passedAt], last }]
  })
  if (rows.length === 0) return { words: { sign: '✓', says: 'No MUST clause fails.', tone: 'good' } }
  const order = new Map(runs.map((run, at) => [run, at]))
  const newestFirst = rows.toSorted(
    (one, other) => (order.get(other.since) ?? 0) - (order.get(one.since) ?? 0),
  )
  return {
    caption: 'MUST clauses whose last result is a failure, waived or not; the newest first',
    columns: ['clause', 'fails since', 'passed last in', 'last tested in'],
    table: newestFirst.map(({ clause, since, before, last }) => ({
      cells: [
        [{ code: clause }, ' ', clauses[clause].text],
        whenOf(since),
        before === undefined ? 'no run here' : whenOf(before),
        whenOf(last),
      ],
    })),
  }
}

/** Columns; a page is read, and a folder may have hundreds of versions. */
const mostVersions = 12

function versions(runs: readonly PastRun[]): readonly Block[] {
  const byWhole = [false, true].flatMap((whole) => runs.filter((run) => run.whole === whole))
  const newest = [...new Map(byWhole.map((run) => [versionOf(run), run]))]
  // In the order of their newest runs.
  const shown = newest
    .toSorted(([, one], [, other]) => runs.indexOf(one) - runs.indexOf(other))
    .slice(-mostVersions)
  const areas = [...new Set(shown.flatMap(([, { areas: own }]) => [...own.keys()]))]
  const rest = newest.length - shown.length
  const rows = areas.map((area) => [area, (run: PastRun) => run.areas.get(area)] as const)
  return [
    {
      caption: 'MUST clauses that passed, by area and version',
      numbers: true,
      columns: ['area', ...shown.map(([version]) => version)],
      table: [...rows, ['all areas', ({ all }: PastRun) => all] as const].map(([head, of]) => ({
        cells: [head, ...shown.map(([, run]) => cell(of(run)))],
      })),
    },
    ...(rest > 0 ? [{ words: `${counted(rest, 'older version')} not shown.` }] : []),
  ]
}

function cell(coverage: Coverage | undefined): Words {
  if (coverage === undefined) return '·'
  const { counts, all } = coverage
  const passed = `${counts.passed} of ${all}`
  if (counts.failed > 0) return { sign: '✗', says: `${counts.failed} failed, ${passed}`, tone: 'bad' }
  return counts['not tested'] + counts.warned > 0
    ? { sign: '–', says: passed, tone: 'doubt' }
    : { sign: '✓', says: passed, tone: 'good' }
}

const runTable = (runs: readonly PastRun[]): Block => ({
  caption: 'The newest first',
  columns: ['run', 'result', 'gate', 'clause set', 'left out', 'folder'],
  table: runs.toReversed().map((run) => ({
    cells: [
      whenOf(run),
      { sign: run.answer.sign, says: run.answer.word, tone: run.answer.tone },
      run.record.gate.passed ? 'passed' : `failed (exit code ${run.record.exitCode})`,
      clauseSetWords(run.record.contract),
      run.scope.join('; ') || 'nothing',
      { code: run.folder },
    ],
  })),
})
