/** What a run left out, what it did not come to, and what none of its kind can show; said before its results. */
import { narrowedBy, type Finding, type LeftOut, type Run, type RunRecord } from '../../bundle/record.ts'
import { counted, duration, present } from '../document/blocks.ts'
import { clauseRows, completeness, coverageOf, rowsOf, testedWords } from '../verdicts/clauses.ts'
import {
  conformanceWords,
  countsLine,
  tally,
  verdictWords,
  verdictWordsOf,
  type VerdictWords,
} from '../verdicts/verdicts.ts'

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

/** The situations that a clause is about were not caused, so nothing that others sent shows conformance. */
const ofTraffic = {
  nonconformant: {
    ...conformanceWords.nonconformant,
    word: 'violations seen',
    means: 'At least one MUST clause was violated in this traffic.',
  },
  partial: {
    ...conformanceWords.partial,
    word: 'no violation seen',
    means: 'No MUST clause was violated in what this traffic shows; it never shows conformance.',
  },
} as const

export const conformanceAnswers = ({ kind }: RunRecord['target']): readonly VerdictWords[] =>
  Object.values(kind === 'traffic' ? ofTraffic : conformanceWords)

export function answerOf(record: RunRecord): VerdictWords {
  const { conformance, contract, plan } = record
  const words = conformanceWords[conformance]
  if (plan.shard !== undefined) {
    // Never to be read as the answer of the whole.
    const { number, of } = plan.shard
    const word = `${conformance}: shard ${number} of ${of}; merge the shards for the verdict`
    const found = conformance === 'nonconformant' ? 'A MUST clause failed' : 'No MUST clause failed'
    return { ...words, word, means: `${found} in this shard; the others are not in this run.` }
  }
  if (record.target.kind === 'traffic')
    return ofTraffic[conformance === 'nonconformant' ? 'nonconformant' : 'partial']
  const by = conformance === 'partial' ? narrowedBy(record) : null
  if (by === 'selection' || by === 'profile') return { ...words, ...narrowed[by] }
  if (conformance !== 'conformant') return words
  // MUST clauses that count of which no check passes, and one warns.
  const { findings } = record
  const mustFindings = findings.filter(({ level, provisional }) => level === 'must' && !provisional)
  const warned = [...Map.groupBy(mustFindings, ({ subject }) => subject).values()].filter((own) => {
    const verdicts = own.map(({ verdict }) => verdict)
    return verdicts.includes('warn') && !verdicts.includes('pass')
  }).length
  const means = warned === 0 ? words.means : `${words.means} ${warned} of them only with a warning.`
  // The user can write a set that demands less, so its answer is never that of a published one.
  return contract.definition === undefined
    ? { ...words, means }
    : { ...words, means, word: `${words.word} (unpublished clause set)`, tone: 'doubt' }
}

/** What it is that passed or failed the policy. */
export const gateOf = ({ plan }: Pick<RunRecord, 'plan'>): 'gate' | 'shard' =>
  plan.shard === undefined ? 'gate' : 'shard'

export interface ScopeLine {
  title: string
  words: string
}

/** What the user's choice left out, most weighty first; none of a run of all that the standard profile has. */
export function scopeLines({ run, plan, findings, merged }: RunRecord): readonly ScopeLine[] {
  const number = (by: LeftOut['by']): number =>
    plan.leftOut.flatMap((one) => (one.by === by ? one.checks : [])).length
  const unexercised = (wanted: Finding['reason']): string =>
    counted(findings.filter(({ reason }) => reason === wanted).length, 'check')
  const line = (title: string, words: string): ScopeLine => ({ title, words })
  const own = plan.checks.length
  const planned = own + number('shard')
  const all = planned + number('selection') + number('not-declared')
  const seconds = merged?.shards.map(({ used }) => used.wallSeconds) ?? []
  const sum = seconds.reduce((one, other) => one + other, 0)
  const there = merged?.shards.map((shard) => shard.number) ?? []
  const absent = Array.from({ length: merged?.of ?? 0 }, (_, at) => at + 1).filter(
    (at) => !there.includes(at),
  )
  return present(
    plan.shard &&
      line(
        `Shard ${plan.shard.number} of ${plan.shard.of}`,
        `${own} of ${planned} planned checks; the others are in the other shards`,
      ),
    merged &&
      line(
        `Merged from ${there.length} of ${merged.of} shards`,
        `${duration(Math.max(...seconds))} for the longest, ${duration(sum)} for all together`,
      ),
    absent.length > 0 &&
      line(`Without shard ${absent.join(', ')}`, `${unexercised('shard-missing')} not tested`),
    number('selection') > 0 &&
      line('A selection', `${planned} of ${all} checks were asked for, by --only ${patterns(run.only)}`),
    run.profile === 'smoke' &&
      line('Smoke profile only', `--profile standard or exhaustive runs ${number('profile')} more checks`),
    findings.some(({ reason }) => reason === 'opt-in-required') &&
      line(
        'Without an opt-in',
        `${unexercised('opt-in-required')} not tested; opted in: ${run.optIn.join(', ') || 'nothing'}`,
      ),
  )
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

/** Says less than it planned to: a title, and why; null of a whole run that was not changed. */
export function earlyEnd({ record }: Run, ends?: string) {
  const { findings } = record
  const left = findings.filter(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  // A cap ended the run, and no person.
  const isCapped = findings.some(({ reason }) => reason === 'budget-exhausted')
  const by = isCapped ? 'A limit of the run was reached' : 'The run was ended early'
  const cut = ends ?? 'the run was killed.'
  const what = 'What had not run by then was not tested.'
  return {
    finished: ends === undefined ? null : { title: 'Changed', says: ends },
    interrupted: {
      title: 'Interrupted',
      says: left.length === 0 ? `${by}.` : `${by}: ${counted(left.length, 'check')} not run.`,
    },
    'target-lost': { title: 'Ended early', says: `The target stopped responding. ${what}` },
    crashed: { title: 'Cut off', says: `${cut.slice(0, 1).toUpperCase()}${cut.slice(1)} ${what}` },
  }[record.run.lifecycle]
}

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

const ofTrafficAlways = [
  'A clause that was seen without violation was met in these exchanges, not always.',
  'A rule is silent where an exchange that is not in the recording could explain what it sees.',
  'The report cannot show what was left out of the recording, or changed in it.',
  'What the contract does not specify is recorded and not judged; other interpretations conform, too.',
]

const ahead: Readonly<Partial<Record<RunRecord['target']['kind'], string>>> = {
  simulator:
    'The target was the simulator that comes with the suite. The run says nothing about the live service.',
  client:
    'The client met the simulator that comes with the suite, and no live service: what only a live service does was not seen.',
}

export const caveats = ({ target: { kind } }: RunRecord): readonly string[] =>
  kind === 'traffic' ? ofTrafficAlways : present(ahead[kind], ...always)

const mostReasons = 3

/** The commonest, each with its number where there are several. */
export function reasonsOf(rows: readonly Finding[], wordsOf: (row: Finding) => string): string {
  const reasons = [...Map.groupBy(rows, wordsOf)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([words, own], _, { length }) => (length > 1 ? `${own.length} ${words}` : words))
  return [...reasons.slice(0, mostReasons), ...(reasons.length > mostReasons ? ['…'] : [])].join(', ')
}

/** How many checks ran and what came of it; good only where nothing was left open. */
export function ranOf(run: Run) {
  const rows = rowsOf(run)
  const { whole, missing } = completeness(run)
  const clauses = clauseRows(run)
  const skipped = rows.filter(({ verdict }) => verdict === 'not-exercised')
  const shown = reasonsOf(skipped, ({ reason = 'no-reason' }) => reason.replaceAll('-', ' '))
  // The word for all of them says as much.
  const why = shown === '' || shown === 'never seen' ? '' : ` (${shown})`
  const isOpen =
    coverageOf(clauses).counts['not tested'] > 0 ||
    rows.some(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict))
  const ran = rows.length - skipped.length - tally(rows)['not-applicable'] - missing.length
  const others = countsLine(
    rows,
    ['skipped', 'not applicable', 'failed', 'waived', 'warned', 'inconclusive'],
    { skipped: verdictWordsOf(rows)['not-exercised'].word + why },
  )
  return {
    ...verdictWords[whole ? (isOpen ? 'not-exercised' : 'pass') : 'fail'],
    count: `${counted(ran, 'check')} ran`,
    of: `${others}; ${testedWords(clauses)}`,
  }
}
