/** What a run left out; shown before its results. */
import { narrowedBy } from '../bundle/record.ts'
import type { LeftOut, Merged, RunRecord, Shard } from '../bundle/record.ts'
import { duration } from '../duration.ts'
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
            words: `${counted(needing)} not tested; opted in: ${run.optIn.join(', ') || 'nothing'}`,
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
      : [{ title: `Without shard ${absent.join(', ')}`, words: `${counted(missing)} not tested` }]),
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

const counted = (number: number): string => (number === 1 ? '1 check' : `${number} checks`)
