/** For auditors: what was not tested and why, digests that identify the run, and every clause with its evidence. */
import { levels } from '../../spec/index.ts'
import { clauseSetWords } from '../../bundle/clause-set.ts'
import type { Finding, Run, RunRecord } from '../../bundle/record.ts'
import {
  badge,
  badgeOf,
  between,
  clockTime,
  counted,
  present,
  sectionPart,
  type Block,
  type Piece,
  type Row,
  type Section,
  type Words,
} from '../document/blocks.ts'
import { cardsOf, statesOf } from '../findings/card.ts'
import { shownAbleToFail } from '../proof/kill-matrix.ts'
import { apartClauseRows, type ClauseRow, type ClauseVerdict } from '../verdicts/clauses.ts'
import { apartMeans, apartTitle, isOfTraffic, verdictOrder, verdictWordsOf } from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { notTestedBlocks } from './not-tested.ts'
import { placeInRun } from './parts.ts'
import { conformanceAnswers, caveats } from './scope.ts'
import { subjectOf, textsOf, underTest } from './words.ts'

interface Judged {
  together: readonly Finding[]
  apart: readonly Finding[]
  clauses: readonly ClauseRow[]
}

export function auditorSection({ together, apart, clauses }: Judged, run: Run): Section {
  const { notTested } = textsOf(run.record.target)
  return {
    id: 'auditor',
    title: 'For auditors',
    short: 'Auditors',
    blocks: [],
    sections: [
      sectionPart(
        'not-tested',
        `${notTested}, and why`,
        notTested.toLowerCase(),
        notTestedBlocks(together, clauses, run),
      ),
      sectionPart('counts', 'Clauses by area', 'clauses by area', matrix(clauses, 'Clauses')),
      sectionPart('identity', 'Identity and digests', 'identity and digests', [identity(run.record)]),
      sectionPart('used', 'Usage', 'usage', usage(run.record)),
      sectionPart('redaction', 'Redacted secrets', 'redacted', redactions(run.record)),
      sectionPart('clauses', 'Every clause', 'every clause', clauseTables(clauses, run)),
      sectionPart('exchanges', 'Evidence of checks that did not fail', 'evidence', proofs(together, run)),
      sectionPart(
        'observed',
        'Observed behaviour that the contract does not specify',
        'observed',
        observed(together),
      ),
      sectionPart('apart', apartTitle, 'older variant', judgedApart(apart, run)),
      sectionPart('limits', 'What this report does not prove', 'limits', [{ items: caveats(run.record) }]),
      sectionPart('glossary', 'Glossary', 'glossary', [glossary(run.record)]),
    ],
  }
}

const mostOfPass = 2

/** Of what did not fail: the first of each, which show most. */
function proofs(rows: readonly Finding[], { journal }: Run): readonly Block[] {
  const ids = new Set(rows.flatMap(({ evidence }) => evidence.slice(0, mostOfPass)))
  const exchanges = journal.filter(({ id }) => ids.has(id)).toSorted((one, other) => one.id - other.id)
  if (exchanges.length === 0) return []
  return [
    { words: `At most ${mostOfPass} exchanges of each check; all are in journal.ndjson.` },
    { exchanges },
  ]
}

function judgedApart(rows: readonly Finding[], run: Run): readonly Block[] {
  if (rows.length === 0) return []
  const wrong = rows.filter(({ verdict }) => ['fail', 'error', 'warn', 'inconclusive'].includes(verdict))
  const clauses = apartClauseRows(run)
  return [
    { words: apartMeans },
    { cards: cardsOf(wrong, run) },
    ...matrix(clauses, 'Clauses judged apart'),
    ...clauseTables(clauses, run),
    ...(rows.some(({ verdict }) => verdict === 'observed') ? observed(rows) : []),
  ]
}

/** Characters of all together; where there are more, each is cut shorter. */
const mostObserved = 25_000

function observed(rows: readonly Finding[]): readonly Block[] {
  const seen = rows.filter(({ verdict }) => verdict === 'observed')
  if (seen.length === 0) return [{ words: 'Nothing was observed.' }]
  const texts = seen.map(({ detail, got }) => shorten(detail ?? got ?? '', 300))
  const most = texts.join('').length > mostObserved ? 40 : 300
  const table = seen.map(({ subject, title }, at): Row => ({
    cells: [
      { lines: [{ code: subject }, { soft: title }] },
      subjectOf(subject).text,
      shorten(texts[at] ?? '', most),
    ],
  }))
  const columns = ['unspecified point', 'question', 'observed']
  const fold = `${counted(seen.length, 'observation')}, recorded and not judged`
  return [{ fold, blocks: [{ caption: 'Observed behaviour', columns, table }] }]
}

function clauseBadge(verdict: ClauseVerdict, findings: readonly Finding[] = []): Piece {
  if (verdict === 'not-planned') return { sign: '–', says: 'not planned', tone: 'doubt' }
  return verdict === 'not-covered'
    ? { sign: '·', says: 'untestable', tone: 'quiet' }
    : badge(verdict, findings)
}

/** How many clauses of each area and level came to which verdict: every clause is counted once. */
function matrix(rows: readonly ClauseRow[], caption: string): readonly Block[] {
  const order: readonly ClauseVerdict[] = [...verdictOrder, 'not-planned', 'not-covered']
  const findings = rows.flatMap((one) => one.findings)
  const shown = order.filter((verdict) => rows.some((row) => row.verdict === verdict))
  const row = (head: string, own: readonly ClauseRow[]): Row => ({
    cells: [head, ...shown.map((verdict) => own.filter((one) => one.verdict === verdict).length), own.length],
  })
  const some = (own: readonly ClauseRow[], level: string) => own.filter((one) => one.level === level)
  const table = (name: string, head: string, lines: readonly Row[]): Block => ({
    caption: `${caption} by ${name}`,
    numbers: true,
    columns: [head, ...shown.map((verdict) => clauseBadge(verdict, findings)), 'all'],
    table: [...lines, row('all', rows)],
  })
  const areas = [...Map.groupBy(rows, ({ area }) => area)].flatMap(([area, own]) =>
    levels
      .filter((level) => some(own, level).length > 0)
      .map((level) => row(`${area}, ${level}`, some(own, level))),
  )
  return [
    table(
      'level and verdict',
      'level',
      levels.map((level) => row(level, some(rows, level))),
    ),
    table('area, level and verdict', 'area and level', areas),
  ]
}

const mostIds = 6

/** A folded table an area; areas that this run did not ask for anything are named together. */
function clauseTables(rows: readonly ClauseRow[], run: Run): readonly Block[] {
  const asked = new Set(rows.filter(({ verdict }) => verdict !== 'not-planned').map(({ area }) => area))
  const byArea = [...Map.groupBy(rows, ({ area }) => area)]
  const left = byArea.filter(([area]) => !asked.has(area)).map(([area]) => area)
  const tables = byArea
    .filter(([area]) => asked.has(area))
    .map(([area, own]): Block => {
      const byVerdict = [...Map.groupBy(own, ({ verdict }) => verdict)]
      const counts = byVerdict.map(([verdict, some]): Words => [
        ' ',
        clauseBadge(verdict, run.record.findings),
        ` ${some.length}`,
      ])
      const columns = ['clause', 'requirement', 'result']
      const table = own.map((row) => {
        const { text, words } = subjectOf(row.clause, run.record)
        const unsaid: Words = [clauseBadge(row.verdict), row.why === undefined ? undefined : `: ${row.why}`]
        const provisional = row.counts ? '' : ', provisional'
        return {
          id: row.clause,
          cells: [
            { lines: [{ code: row.clause }, { soft: row.level + provisional }] },
            { lines: [text, { soft: words }] },
            row.findings.length === 0 ? unsaid : { lines: row.findings.map(resultOf) },
          ],
        }
      })
      return {
        fold: [`${area}: ${counted(own.length, 'clause')}. `, counts],
        blocks: [{ caption: `Clauses of ${area}`, columns, table }],
      }
    })
  if (left.length === 0) return tables
  return [...tables, { words: `Areas without a check in this run: ${left.join(', ')}.` }]
}

/** Verdict, scenario, check, exchanges, how its states came about, and what has shown that it can fail. */
function resultOf(finding: Finding): Words {
  const { title, check, evidence } = finding
  const rest = evidence.length - mostIds
  const ids = evidence.slice(0, mostIds).map((id): Words => ({ to: `#exchange-${id}`, says: id }))
  const about = present<Words>(
    { code: check },
    ids.length > 0 && [
      ids.length === 1 ? 'exchange ' : 'exchanges ',
      between(', ', ids),
      rest > 0 ? ` and ${rest} more` : '',
    ],
    statesOf(finding),
    shownAbleToFail(check) ?? (isOfTraffic(finding) ? undefined : 'no fault that this check detects'),
  )
  return { lines: [[badgeOf(finding), ' ', title], { soft: between('; ', about) }] }
}

const mostPatterns = 600

const leftOutBy = {
  selection: 'not selected by --only',
  profile: 'belong to a larger profile',
  'not-declared': 'not planned: not declared by the target',
  shard: 'in the other shards',
} as const satisfies Record<RunRecord['plan']['leftOut'][number]['by'], string>

/** What was tested with what, and the digests that identify it. */
function identity({ run, plan, target, tool, contract, journal, signing, merged }: RunRecord): Block {
  const isTraffic = target.kind === 'traffic'
  const digest = (value: string | undefined): Words => (value === undefined ? undefined : { code: value })
  return {
    kind: 'wide',
    fields: [
      ['run', digest(run.id)],
      ['started', clockTime(run.startedAt)],
      ['ended', `${clockTime(run.endedAt)}, ${run.lifecycle}`],
      ['profile and seed', isTraffic ? undefined : `${run.profile}, ${run.seed}`],
      [
        'selection',
        shorten(run.only.join(' '), mostPatterns) || (isTraffic ? 'all checks' : 'all checks of the profile'),
      ],
      ['opt-ins', isTraffic ? undefined : run.optIn.join(', ') || 'none'],
      ...plan.leftOut.map(({ by, checks }) => [leftOutBy[by], counted(checks.length, 'check')] as const),
      ['target', [target.name, ', ', placeInRun(target)]],
      ['version, options', underTest(target)],
      ['website', target.url],
      ['contact', target.contact?.join(', ')],
      ['target settings, SHA-256', digest(target.fileDigest) ?? 'no target file'],
      ['tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
      ['suite, SHA-256', digest(tool.suite)],
      ['clauses', `set ${clauseSetWords(contract)}`],
      ['clauses, SHA-256', digest(contract.digest)],
      [
        'plan',
        `${counted(plan.checks.length, 'check')}, written before the first ${isTraffic ? 'exchange' : 'request'}`,
      ],
      ['plan, SHA-256', digest(plan.digest)],
      ['plan of all shards, SHA-256', digest(plan.shard?.plan)],
      ['journal', journal ? `${counted(journal.lines, 'line')}, linked by a hash chain` : 'not written'],
      ['journal head, SHA-256', digest(journal?.head)],
      ...(merged?.shards ?? []).map(
        ({ number, run: shard, manifest }) =>
          [`shard ${number}, SHA-256 of its manifest`, [digest(manifest), ', run ', digest(shard)]] as const,
      ),
      ['signature', signing ? ['Ed25519, key ', digest(signing.keyid)] : 'unsigned'],
    ],
  }
}

function usage({ used, budgets, plan, target }: RunRecord): readonly Block[] {
  // Nothing was sent.
  if (target.kind === 'traffic') return []
  const seconds = (value: number): string => `${Number(value.toFixed(1))} s`
  const rows = [
    ['requests', String(used.requests), String(plan.ceiling.requests), String(budgets.requests)],
    ['turns', String(used.turns), String(plan.ceiling.turns), String(budgets.turns)],
    ['credits', String(used.credits), 'unknown', String(budgets.credits)],
    ['time', seconds(used.wallSeconds), 'unknown', seconds(budgets.wallSeconds)],
  ]
  return [
    {
      caption: 'Usage: actual, planned maximum and limit',
      columns: ['resource', 'actual', 'planned maximum', 'limit'],
      table: rows.map((cells) => ({ cells })),
    },
    { words: `At most ${budgets.requestsPerMinute} requests a minute with one API key.`, kind: 'soft' },
  ]
}

function redactions({ redaction }: RunRecord): readonly Block[] {
  if (!redaction) return [{ words: 'This record does not list redactions.' }]
  const counts = Object.entries(redaction.counts)
  const items = counts.map(([name, count]): Words => [{ code: name }, `: ${count} times`])
  const none = items.length === 0
  const said = redaction.disclosed
    ? 'Secrets of webhooks that the run created and deleted are not redacted, as requested.'
    : 'Equal secrets have equal placeholders.'
  return present<Block>(
    {
      words: none
        ? 'No secret had to be redacted.'
        : 'Redacted before anything was written, by name of the secret:',
    },
    !none && { items },
    { words: said, kind: 'soft' },
  )
}

const glossary = ({ findings, target }: RunRecord): Block => ({
  kind: 'wide',
  fields: [
    ...verdictOrder.map(
      (verdict) => [badge(verdict, findings), verdictWordsOf(findings)[verdict].means] as const,
    ),
    [
      clauseBadge('not-planned'),
      'Its checks were left out by the profile, by a selection, or because the target lacks something.',
    ],
    [clauseBadge('not-covered'), 'It cannot be tested from outside; the reason is given.'],
    ...conformanceAnswers(target).map(
      ({ sign, word, tone, means }) => [{ sign, says: word, tone }, means] as const,
    ),
    ['gate', 'Whether the policy allows the result. A waived failure passes the gate and stays a failure.'],
    ['waived', 'A failure with an owner, a reason and a last day.'],
    [
      'provisional',
      'The clause is not in the clause set: reported, but affects neither conformance nor the gate.',
    ],
    [
      'clause, check',
      'A clause is one statement of the contract; a check tests one clause in one test scenario.',
    ],
    ['exchange', 'One request and its response, by its number in journal.ndjson.'],
    [
      'state, by',
      'How a state was set up: `wire` by requests of the suite, `control`, `http` and `exec` by a hook, `fixture` prepared, `manual` and `attest` by a person.',
    ],
  ],
})
