/** Parts of the report of a run that several documents have: banners, answers, coverage, what was not tested. */
import { clauseSetWords } from '../../bundle/clause-set.ts'
import type { Finding, Run, RunRecord, Waiver } from '../../bundle/record.ts'
import {
  clockTime,
  counted,
  duration,
  present,
  type Answer,
  type Block,
  type Row,
  type Words,
} from '../document/blocks.ts'
import { clauseLink } from '../findings/card.ts'
import {
  completeness,
  coverageByArea,
  coverageKindWord,
  coverageKinds,
  coverageOf,
  leftOutWords,
  percentPassed,
  uncheckedWords,
  type ClauseRow,
  type Coverage,
  type CoverageKind,
} from '../verdicts/clauses.ts'
import { entriesToAccept, howToAccept, moreToAccept } from '../verdicts/reasons.ts'
import { daysLeft, type Tone } from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { answerOf, earlyEnd, gateOf, scopeLines } from './scope.ts'
import {
  addressOf,
  howToDeclareVersion,
  kindOf,
  sourceLine,
  targetNoun,
  textsOf,
  tookSeconds,
  underTest,
} from './words.ts'

export function bannersOf(run: Run, ends?: string): readonly Block[] {
  const { record } = run
  const banner = (title: string, says: Words): Block => ({ banner: title, says })
  const early = earlyEnd(run, ends)
  return present<Block>(
    record.target.kind === 'simulator' && banner('Simulator run', 'It says nothing about the live service.'),
    ...scopeLines(record).map(({ title, words }) => banner(title, `${words}.`)),
    early && banner(early.title, early.says),
    incomplete(run),
  )
}

const mostNames = 10

function incomplete(run: Run): Block | null {
  const { missing, unplanned, repeated, whole } = completeness(run)
  if (whole) return null
  const faults = [
    ['planned without a result', missing.map(({ check }) => check)],
    ['not planned', unplanned],
    ['with more than one result', repeated],
  ] as const
  const says = faults.flatMap(([what, checks]) => {
    const rest = checks.length - mostNames
    const names = `${checks.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
    return checks.length === 0 ? [] : [`${what}: ${names}`]
  })
  return { banner: 'The results do not match the plan', says: `${says.join('; ')}.` }
}

export function answerBlocks(run: Run, clauses: readonly ClauseRow[]): readonly Answer[] {
  const { record } = run
  const { word, sign, means, tone } = answerOf(record)
  const mustClauses = clauses.filter(({ level, counts }) => level === 'must' && counts)
  const broken = mustClauses.filter(({ verdict }) => verdict === 'fail').length
  const missing = leftOutWords(run)
  const detail =
    broken > 0
      ? `${broken} of ${counted(mustClauses.length, 'MUST clause')} ${coverageKindWord('failed', record.target)}.`
      : `${means}${missing && ` ${missing}.`}`
  return [{ question: textsOf(record.target).answer, sign, word, tone, detail }, gateAnswer(record)]
}

export function gateAnswer(record: RunRecord): Answer {
  const { passed, because, stalePolicy } = record.gate
  const gate = gateOf(record)
  const passes = passed ? 'passed' : 'failed'
  const reasons = [...new Set([...because, ...stalePolicy])]
  return {
    question: gate === 'gate' ? 'Gate' : 'This shard',
    sign: passed ? '✓' : '✗',
    word: passes,
    label: `${gate} ${passes}`,
    tone: passed ? 'good' : 'bad',
    detail: `Exit code ${record.exitCode}.${passed ? ' The policy allows this result.' : ''}`,
    blocks: reasons.length > 0 ? [{ items: reasons }] : [],
  }
}

const mostEntries = 20

/** What a policy needs so that the gate accepts what has no result. */
export function toAccept(run: Run): readonly Block[] {
  const entries = entriesToAccept(run)
  if (entries.length === 0) return []
  const rest = entries.length - mostEntries
  return present<Block>(
    { words: howToAccept },
    { code: entries.slice(0, mostEntries), language: 'yaml' },
    rest > 0 && { words: `${moreToAccept(rest)}.` },
  )
}

export function placeInRun(target: RunRecord['target']): Words {
  const address = addressOf(target)
  return address === null ? kindOf(target) : [kindOf(target), ' at ', { code: address }]
}

export function aboutRun(record: RunRecord): Block {
  const { run, target, tool, used, contract } = record
  const { ci, job, url, actor, host } = run.origin ?? {}
  const early = run.lifecycle === 'finished' ? '' : `, ${run.lifecycle}`
  // A client spends nothing of ours.
  const spent = target.kind === 'client' ? [] : [counted(used.turns, 'turn'), counted(used.credits, 'credit')]
  return {
    kind: 'wide',
    fields: [
      ['under test', [target.name, ', ', placeInRun(target)]],
      ['version', [underTest(target), howToDeclareVersion(record)].filter(Boolean).join('; ')],
      ['started by', actor ?? 'not recorded'],
      ['CI system', ci],
      ['CI job', url === undefined ? job : { to: url, says: job ?? url }],
      ['branch, commit', sourceLine(record)],
      [ci === undefined ? 'host' : 'runner', host],
      ...(target.kind === 'traffic'
        ? ([
            ['judged', clockTime(run.startedAt) + early],
            ['recorded', `${counted(used.requests, 'exchange')} in ${duration(used.wallSeconds)}`],
          ] as const)
        : ([
            ['when', `${clockTime(run.startedAt)}, ${duration(tookSeconds(record))}${early}`],
            ['scope', `${run.profile} profile, seed ${run.seed}`],
            ['used', [counted(used.requests, 'request'), ...spent].join(', ')],
          ] as const)),
      ['clauses', `clauses of ${clauseSetWords(contract)}, digest ${contract.digest.slice(0, 16)}`],
      ['tool', `${tool.name} ${tool.version}`],
    ],
  }
}

export const coverageSigns: Readonly<
  Record<CoverageKind, { sign: string; tone: Tone; at: string; means: string }>
> = {
  passed: { sign: '✓', tone: 'good', at: 'by-area', means: 'every completed check passed' },
  failed: { sign: '✗', tone: 'bad', at: 'failures', means: 'at least one check failed' },
  warned: { sign: '!', tone: 'doubt', at: 'warnings', means: 'no check failed, and at least one warned' },
  'not tested': { sign: '–', tone: 'doubt', at: 'not-tested', means: 'no result in this run' },
  'not applicable': {
    sign: '·',
    tone: 'quiet',
    at: 'by-area',
    means: 'the condition of the clause never arose',
  },
  untestable: { sign: '·', tone: 'quiet', at: 'not-tested', means: 'cannot be tested from outside' },
}

const meansOfTraffic: Partial<Record<CoverageKind, string>> = {
  passed: 'nothing seen violates it',
  failed: 'at least one violation',
  'not tested': 'nothing of its kind in the traffic',
}

export const coverageMeans = (kind: CoverageKind, { kind: of }: Pick<RunRecord['target'], 'kind'>): string =>
  (of === 'traffic' && meansOfTraffic[kind]) || coverageSigns[kind].means

/** Kinds that are always shown, and others where there are any. */
export const shownKinds = (
  { counts }: Coverage,
  { kind: of }: Pick<RunRecord['target'], 'kind'>,
): readonly CoverageKind[] =>
  coverageKinds.filter(
    (kind) =>
      counts[kind] > 0 ||
      !(['warned', 'not applicable'].includes(kind) || (kind === 'untestable' && of === 'traffic')),
  )

export function coverageBlocks(rows: readonly ClauseRow[], { record }: Run): readonly Block[] {
  const coverage = coverageOf(rows)
  const byArea = coverageByArea(rows)
  const hasResult = ([, { counts }]: (typeof byArea)[number]): boolean => counts.passed + counts.failed > 0
  const without = byArea.filter((one) => !hasResult(one)).map(([area]) => area)
  const kinds = shownKinds(coverage, record.target)
  const word = (kind: CoverageKind): string => coverageKindWord(kind, record.target)
  const row = (head: string, own: Coverage): Row => ({
    cells: [
      head,
      ...kinds.map((kind) => own.counts[kind]),
      own.all,
      `${percentPassed(own)} %`,
      inWords(own, record.target),
    ],
  })
  const heads = kinds.map((kind) => ({
    sign: coverageSigns[kind].sign,
    says: word(kind),
    tone: coverageSigns[kind].tone,
  }))
  const those =
    record.target.kind === 'traffic' ? 'traffic can show' : `apply to ${targetNoun(record.target)}`
  const besides = uncheckedWords(record).map((words) => ` Besides, ${words}.`)
  const noResult = counted(without.length, 'area without a result', 'areas without a result')
  if (without.length > 0) besides.push(` ${noResult}: ${without.join(', ')}.`)
  return present<Block>(
    {
      words: `Every number is of the ${coverage.all} MUST clauses of clause set ${record.contract.revision} that ${those}. Each clause is counted once, by its worst check. SHOULD clauses are not counted.${besides.join('')}`,
    },
    coverage.all > 0 && {
      caption: textsOf(record.target).byArea,
      numbers: true,
      columns: ['area', ...heads, 'MUST clauses', `share ${word('passed')}`, 'status'],
      table: [
        ...byArea.filter(hasResult).map(([area, own]) => row(area, own)),
        ...(without.length > 0
          ? [row(noResult, coverageOf(rows.filter(({ area }) => without.includes(area))))]
          : []),
        row('all areas', coverage),
      ],
    },
  )
}

/** The result of an area in a few words, for those who do not read numbers. */
function inWords({ counts, all }: Coverage, target: RunRecord['target']): Words {
  const open = counts['not tested']
  const signed = (sign: string, says: string, tone: Tone): Words => ({ sign, says, tone })
  if (counts.failed > 0) return signed('✗', `${counts.failed} ${coverageKindWord('failed', target)}`, 'bad')
  if (open > 0)
    return signed(
      '–',
      `${open + counts.untestable === all ? '' : `${open} `}${coverageKindWord('not tested', target)}`,
      'doubt',
    )
  if (counts.warned > 0) return signed('!', `${counts.warned} warned`, 'doubt')
  if (counts.passed === 0)
    return signed('·', counts.untestable > 0 ? 'untestable' : 'not applicable', 'quiet')
  return signed(
    '✓',
    counts.untestable > 0 ? 'all testable ones passed' : `all ${coverageKindWord('passed', target)}`,
    'good',
  )
}

export function waivedOf(findings: readonly Finding[]): readonly (Finding & { waived: Waiver })[] {
  const waived = findings.filter((one): one is Finding & { waived: Waiver } => one.waived !== undefined)
  return waived.toSorted((one, other) => (one.waived.expires < other.waived.expires ? -1 : 1))
}

const waiverKinds = { 'known-failure': 'known failure', flaky: 'flaky' } as const

/** `most`: a summary has little room, and the card of each failure has its waiver, too. */
export function waiverBlocks({ findings, run, gate }: RunRecord, most: number): readonly Block[] {
  const rows = waivedOf(findings)
  const rest = rows.length - most
  const stale = gate.stalePolicy
  if (rows.length + stale.length === 0) return [{ words: 'No failure is waived.' }]
  return present<Block>(
    {
      caption:
        'A waived failure passes the gate and stays a failure. Days are counted from the end of the run.',
      columns: ['check', 'owner', 'reason', 'issue', 'expires'],
      table: rows.slice(0, most).map(({ subject, check, waived: { as, owner, reason, issue, expires } }) => ({
        cells: [
          { lines: [clauseLink(subject), { soft: `${check}, ${waiverKinds[as]}` }] },
          owner,
          shorten(reason, 80),
          issue === undefined ? 'none' : { to: issue, says: issue },
          [`${expires}, `, { strong: daysLeft(expires, run.endedAt) }],
        ],
      })),
    },
    rest > 0 && { words: `${rest} more: each failure below shows its waiver.` },
    stale.length > 0 && { words: 'Policy entries that no longer match, or have expired:' },
    stale.length > 0 && { items: stale },
  )
}
