/** How verdicts are shown, always a word and a sign and never a colour alone; what the policy says of them; counts. */
import { apartAreas, areas, type Area } from '../../spec/index.ts'
import { isFlaky, type Conformance, type Finding, type Verdict } from '../../bundle/record.ts'

/** Sets the colour of a verdict and nothing else. */
export type Tone = 'good' | 'bad' | 'doubt' | 'quiet'

export interface VerdictWords {
  sign: string
  word: string
  /** For a column of a terminal, where the word is too wide. */
  short?: string
  tone: Tone
  means: string
}

/** In the order in which columns and lists show them. */
export const verdictWords = {
  pass: { sign: '✓', word: 'pass', tone: 'good', means: 'The requirement is met.' },
  fail: { sign: '✗', word: 'fail', tone: 'bad', means: 'A MUST clause is not met.' },
  warn: { sign: '!', word: 'warn', tone: 'doubt', means: 'A SHOULD clause is not met.' },
  error: {
    sign: '‼',
    word: 'error',
    tone: 'bad',
    means: 'Touchstone itself failed; no statement about the target.',
  },
  inconclusive: {
    sign: '?',
    word: 'inconclusive',
    short: 'inconcl.',
    tone: 'doubt',
    means: 'It ran without a result; the reason is given.',
  },
  'not-exercised': {
    sign: '–',
    word: 'not tested',
    tone: 'doubt',
    means: 'The environment did not allow the check; the reason is given.',
  },
  'not-applicable': {
    sign: '·',
    word: 'not applicable',
    short: 'n/a',
    tone: 'quiet',
    means: 'The contract makes it conditional, and the condition is not met here.',
  },
  observed: {
    sign: '○',
    word: 'observed',
    tone: 'quiet',
    means: 'The contract does not specify this: recorded, not judged.',
  },
} as const satisfies Record<Verdict, VerdictWords>

/** What others sent was not tested. */
const wordsOfTraffic: Readonly<Record<Verdict, VerdictWords>> = {
  ...verdictWords,
  pass: {
    ...verdictWords.pass,
    word: 'seen without violation',
    short: 'no violation',
    means: 'It was seen, and nothing seen violates it.',
  },
  fail: { ...verdictWords.fail, word: 'violated', means: 'A MUST clause is violated.' },
  'not-exercised': {
    ...verdictWords['not-exercised'],
    word: 'not seen',
    means: 'Nothing in the traffic could be judged by the rule.',
  },
}

type Judged = Partial<Pick<Finding, 'scenario'>>

/** Only what others sent is judged by scenarios with this name. */
export const isOfTraffic = ({ scenario = '' }: Judged): boolean => scenario.startsWith('traffic/')

export const verdictWordsOf = (findings: readonly Judged[]): Readonly<Record<Verdict, VerdictWords>> =>
  findings.some(isOfTraffic) ? wordsOfTraffic : verdictWords

export const verdictOrder = Object.keys(verdictWords) as Verdict[]

export const conformanceWords = {
  conformant: {
    sign: '✓',
    word: 'conformant',
    tone: 'good',
    means: 'Every MUST clause that applies and can be tested passed.',
  },
  partial: {
    sign: '–',
    word: 'partial',
    tone: 'doubt',
    means: 'No MUST clause failed, but not all were tested.',
  },
  nonconformant: { sign: '✗', word: 'nonconformant', tone: 'bad', means: 'At least one MUST clause failed.' },
} as const satisfies Record<Conformance, VerdictWords>

export const isFailure = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'error'

export type ReportedOutcome = 'passed' | 'failed' | 'warned' | 'skipped'

/**
 * What was not judged was skipped; so is a failure that the policy waives and whatever is provisional, because these words
 * speak for the gate and not for conformance.
 */
export function reportedOutcomeOf(finding: Finding): ReportedOutcome {
  const { verdict, waived, provisional } = finding
  if (verdict === 'pass') return 'passed'
  if (verdict === 'warn') return 'warned'
  const spared = provisional ?? (waived !== undefined && verdict === 'fail')
  return isFailure(finding) && !spared ? 'failed' : 'skipped'
}

type Marks = Pick<Finding, 'waived' | 'follows' | 'provisional' | 'attempts'> & Partial<Pick<Finding, 'area'>>

const short = { 'known-failure': 'waived', flaky: 'waived as flaky' } as const

/** Of what was run again, such as `flaky: failed 1 of 2`. */
function attemptWords({ attempts }: Marks): string | undefined {
  return attempts && `${isFlaky({ attempts }) ? 'flaky: ' : ''}failed ${attempts.failed} of ${attempts.of}`
}

/** Words to put behind a verdict, such as `waived`. */
export function marksOf({ waived, provisional, ...where }: Marks): readonly string[] {
  const counts = isApart(where) ? 'apart' : 'provisional'
  const attempted = attemptWords(where)
  return [
    ...(attempted === undefined ? [] : [attempted]),
    ...(waived ? [short[waived.as]] : []),
    ...(provisional ? [counts] : []),
  ]
}

/** The same with who answers for it and until when, or with the failure that is why; undefined where there is nothing to say. */
export function standingOf({ waived, follows, provisional, ...where }: Marks): string | undefined {
  const issue = waived?.issue === undefined ? '' : `, see ${waived.issue}`
  const lines = [
    attemptWords(where),
    follows && `follows from ${follows.slice(follows.lastIndexOf('/') + 1)} (failed)`,
    waived && `${short[waived.as]} until ${waived.expires} by ${waived.owner} (${waived.reason}${issue})`,
    provisional &&
      (isApart(where)
        ? 'judged apart, it decides nothing'
        : 'provisional, the clause is not in the set that counts'),
  ]
  return lines.filter(Boolean).join('; ') || undefined
}

/** Words behind the level of a warning about a MUST clause; empty for any other finding. */
export function levelNote({ level, verdict }: Pick<Finding, 'level' | 'verdict'>): string {
  return verdict === 'warn' && level === 'must' ? ', edge case: warning only' : ''
}

/** Counted from the end of the run, so that the page is the same whenever it is made. */
export function daysLeft(expires: string, endedAt: string): string {
  const days = Math.round((Date.parse(expires) - Date.parse(endedAt.slice(0, 10))) / 86_400_000)
  if (days < 0) return 'expired'
  return days === 0 ? 'last day' : `${days} ${days === 1 ? 'day' : 'days'} left`
}

export const apartTitle = 'Judged apart: the older chat variant'
export const apartMeans =
  'Whether a service still has it is not shown. The target declares it, so it was asked; neither answer of this run depends on what it said.'

export function isApart({ area }: Partial<Pick<Finding, 'area'>>): boolean {
  return area !== undefined && (apartAreas as readonly string[]).includes(area)
}

export function parted(rows: readonly Finding[]): {
  together: readonly Finding[]
  apart: readonly Finding[]
} {
  return { together: rows.filter((row) => !isApart(row)), apart: rows.filter(isApart) }
}

export type Tally = Record<Verdict, number>

export function tally(findings: readonly Finding[]): Tally {
  const counts = Object.fromEntries(verdictOrder.map((verdict) => [verdict, 0])) as Tally
  for (const { verdict } of findings) counts[verdict] += 1
  return counts
}

export function byArea(findings: readonly Finding[]): ReadonlyMap<Area, readonly Finding[]> {
  const grouped = Map.groupBy(findings, (finding) => finding.area)
  return new Map([...grouped].toSorted(([one], [other]) => place(one) - place(other)))
}

const order: readonly string[] = Object.keys(areas)

/** An area that this version does not know comes last. */
const place = (area: string): number => (order.includes(area) ? order.indexOf(area) : order.length)

export function outcomes(findings: readonly Finding[]): Record<ReportedOutcome, number> {
  const counts = { passed: 0, failed: 0, warned: 0, skipped: 0 }
  for (const finding of findings) counts[reportedOutcomeOf(finding)] += 1
  return counts
}

const closingWords = [
  'passed',
  'failed',
  'skipped',
  'warned',
  'inconclusive',
  'waived',
  'provisional',
  'not applicable',
  'observed',
] as const
type ClosingWord = (typeof closingWords)[number]
/** Said even of none. */
const always: readonly ClosingWord[] = ['passed', 'failed', 'skipped']

/** Counts of a run in one line. What other formats can only call skipped is counted apart, under its own word. */
export function countsLine(
  findings: readonly Finding[],
  of: readonly ClosingWord[] = closingWords,
  named: Partial<Record<ClosingWord, string>> = {},
): string {
  const words = findings.map(closingWord)
  const { pass, fail, 'not-exercised': open } = verdictWordsOf(findings)
  const own: Partial<Record<ClosingWord, string>> = findings.some(isOfTraffic)
    ? { passed: pass.word, failed: fail.word, skipped: open.word }
    : {}
  return of
    .map((word) => ({ word, count: words.filter((one) => one === word).length }))
    .filter(({ word, count }) => count > 0 || always.includes(word))
    .map(({ word, count }) => `${count} ${named[word] ?? own[word] ?? word}`)
    .join(', ')
}

function closingWord(finding: Finding): ClosingWord {
  const outcome = reportedOutcomeOf(finding)
  if (outcome !== 'skipped') return outcome
  const { verdict, waived } = finding
  if (verdict === 'not-applicable') return 'not applicable'
  if (verdict === 'observed' || verdict === 'inconclusive') return verdict
  return verdict === 'fail' || verdict === 'error' ? (waived ? 'waived' : 'provisional') : 'skipped'
}
