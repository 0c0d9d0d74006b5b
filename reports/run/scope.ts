/** What a run left out, what it did not come to, and what none of its kind can show; said before its results. */
import {
  narrowedBy,
  type LeftOut,
  type Merged,
  type Run,
  type RunRecord,
  type Shard,
} from '../bundle/record.ts'
import { counted } from '../document/blocks.ts'
import { duration } from '../duration.ts'
import { clauseRows, completeness, coverageOf, testedOf } from '../verdicts/clauses.ts'
import { conformanceWords, type VerdictWords } from '../verdicts/verdicts.ts'

/** Never to be read as the answer of the whole. */
function answerOfShard(
  words: VerdictWords,
  conformance: RunRecord['conformance'],
  { number, of }: Pick<Shard, 'number' | 'of'>,
): VerdictWords {
  const word = `${conformance}: shard ${number} of ${of}; merge the shards for the verdict`
  const found = conformance === 'nonconformant' ? 'A MUST clause failed' : 'No MUST clause failed'
  return { ...words, word, means: `${found} in this shard; the others are not in this run.` }
}

const narrowed = {
  selection: {
    word: 'partial (selection)',
    means: 'No MUST clause failed in this selection; a selection is never conformant.',
  },
  profile: {
    word: 'partial (smoke profile)',
    means: 'No MUST clause failed; the smoke profile is never conformant.',
  },
} as const

/** The answer on conformance in words, with the choice that keeps it from being more. */
export function answerOf(record: RunRecord): VerdictWords {
  const words = conformanceWords[record.conformance]
  const { shard } = record.plan
  if (shard !== undefined) return answerOfShard(words, record.conformance, shard)
  const by = record.conformance === 'partial' ? narrowedBy(record) : null
  if (by === 'selection' || by === 'profile') return { ...words, ...narrowed[by] }
  return unpublished(record, warnedIn(record, words))
}

/** Whoever runs a check can write a set that demands less, so its answer is never that of a published one. */
function unpublished({ contract, conformance }: RunRecord, words: VerdictWords): VerdictWords {
  if (contract.definition === undefined || conformance !== 'conformant') return words
  return { ...words, word: `${words.word} (unpublished clause set)`, tone: 'doubt' }
}

function warnedIn(record: RunRecord, words: VerdictWords): VerdictWords {
  const warned = record.conformance === 'conformant' ? onlyWarned(record) : 0
  return warned === 0 ? words : { ...words, means: `${words.means} ${warned} of them only with a warning.` }
}

/** What it is that passed or failed the policy. */
export function gateOf({ plan }: Pick<RunRecord, 'plan'>): 'gate' | 'shard' {
  return plan.shard === undefined ? 'gate' : 'shard'
}

/** MUST clauses that count of which no check passes, and one warns. */
function onlyWarned({ findings }: RunRecord): number {
  const mustFindings = findings.filter(({ level, provisional }) => level === 'must' && !provisional)
  const clauses = [...Map.groupBy(mustFindings, ({ subject }) => subject).values()]
  return clauses.filter((own) => {
    const verdicts = own.map(({ verdict }) => verdict)
    return verdicts.includes('warn') && !verdicts.includes('pass')
  }).length
}

export interface ScopeLine {
  title: string
  words: string
}

/** What the user's choice left out, most weighty first; none of a run of all that the standard profile has. */
export function scopeLines({ run, plan, findings, merged }: RunRecord): readonly ScopeLine[] {
  const number = (by: LeftOut['by']): number =>
    plan.leftOut.flatMap((one) => (one.by === by ? one.checks : [])).length
  const selection = number('selection')
  const planned = plan.checks.length + number('shard')
  const all = planned + selection + number('not-declared')
  const needing = findings.filter(({ reason }) => reason === 'opt-in-required').length
  return [
    ...(plan.shard === undefined ? [] : [shardLine(plan.shard, plan.checks.length, planned)]),
    ...(merged === undefined ? [] : mergedLines(merged, findings)),
    ...(selection === 0
      ? []
      : [
          {
            title: 'A selection',
            words: `${planned} of ${all} checks were asked for, by --only ${patterns(run.only)}`,
          },
        ]),
    ...(run.profile === 'smoke'
      ? [{ title: 'The smoke profile', words: `${number('profile')} checks are of larger profiles` }]
      : []),
    ...(needing === 0
      ? []
      : [
          {
            title: 'Without an opt-in',
            words: `${counted(needing, 'check')} not tested; opted in: ${run.optIn.join(', ') || 'nothing'}`,
          },
        ]),
  ]
}

function shardLine({ number, of }: Pick<Shard, 'number' | 'of'>, own: number, planned: number): ScopeLine {
  return {
    title: `Shard ${number} of ${of}`,
    words: `${own} of ${planned} planned checks; the others are in the other shards`,
  }
}

function mergedLines({ of, shards }: Merged, findings: RunRecord['findings']): readonly ScopeLine[] {
  const seconds = shards.map(({ used }) => used.wallSeconds)
  const sum = seconds.reduce((one, other) => one + other, 0)
  const missing = findings.filter(({ reason }) => reason === 'shard-missing').length
  const there = new Set(shards.map(({ number }) => number))
  const absent = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !there.has(number))
  return [
    {
      title: `Merged from ${shards.length} of ${of} shards`,
      words: `${duration(Math.max(...seconds))} for the longest, ${duration(sum)} for all together`,
    },
    ...(absent.length === 0
      ? []
      : [{ title: `Without shard ${absent.join(', ')}`, words: `${counted(missing, 'check')} not tested` }]),
  ]
}

export function scopeTexts(record: RunRecord): readonly string[] {
  return scopeLines(record).map(({ title, words }) => `${title}: ${words}`)
}

const mostPatterns = 5

/** Patterns in a line, the first of many; empty where there are none. */
export function patterns(only: readonly string[]): string {
  const rest = only.length - mostPatterns
  return `${only.slice(0, mostPatterns).join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Says less than it planned to: a title, and why; null of a run that came to its end. */
export function earlyEnd({ record }: Run, ends = 'the run was killed.') {
  const { findings } = record
  const left = findings.filter(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  // A cap ended the run, and no person.
  const isCapped = findings.some(({ reason }) => reason === 'budget-exhausted')
  const by = isCapped ? 'A limit of the run was reached' : 'The run was ended early'
  const what = 'What had not run by then was not tested.'
  return {
    finished: null,
    interrupted: {
      title: 'Interrupted',
      says: left.length === 0 ? `${by}.` : `${by}: ${counted(left.length, 'check')} not run.`,
    },
    'target-lost': { title: 'Ended early', says: `The target stopped responding. ${what}` },
    crashed: { title: 'Cut off', says: `${ends.slice(0, 1).toUpperCase()}${ends.slice(1)} ${what}` },
  }[record.run.lifecycle]
}

/** The same in a line. */
export function earlyEndLine(run: Run, ends?: string): string | null {
  const early = earlyEnd(run, ends)
  return early && `${early.title}: ${early.says}`
}

const always = [
  'A pass shows that the clause was met in the exchanges of this run, not that it always is.',
  'A target can recognise the suite and behave differently for others.',
  'The report cannot show whether failed runs were discarded before this one.',
  'What the contract does not specify is recorded and not judged; other interpretations conform, too.',
  'Clauses that cannot be tested from outside are listed, not judged.',
]

const simulated =
  'The target was the simulator that comes with the suite. The run says nothing about the live service.'

const againstSimulator =
  'The client met the simulator that comes with the suite, and no live service: what only a live service does was not seen.'

const ahead: Readonly<Partial<Record<RunRecord['target']['kind'], string>>> = {
  simulator: simulated,
  client: againstSimulator,
}

export function caveats({ target }: RunRecord): readonly string[] {
  const first = ahead[target.kind]
  return first === undefined ? always : [first, ...always]
}

export interface PlanKept {
  tone: 'good' | 'bad' | 'doubt'
  /** Such as `56 of 194`. */
  count: string
  /** What the count is of, with what it covers: all planned checks are not all clauses. */
  of: string
}

export function planKept(run: Run): PlanKept {
  const { whole, judged, planned } = completeness(run)
  const coverage = coverageOf(clauseRows(run))
  const covers = `they cover ${testedOf(coverage)} of ${coverage.all} MUST clauses`
  if (run.record.run.lifecycle !== 'crashed')
    return {
      tone: whole ? 'good' : 'bad',
      count: `${judged} of ${planned}`,
      of: `planned checks have a verdict; ${covers}`,
    }
  const left = run.record.findings.filter(({ reason }) => reason === 'interrupted').length
  const of = `planned checks had a verdict when the run was cut off; ${covers}`
  return { tone: 'doubt', count: `${judged - left} of ${planned}`, of }
}
