/** What a run left out; shown before its results. */
import { narrowedBy } from '../bundle/record.ts'
import type { LeftOut, RunRecord } from '../bundle/record.ts'
import { conformanceWords, type VerdictWords } from '../verdicts/verdicts.ts'

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
  const by = record.conformance === 'partial' ? narrowedBy(record) : null
  if (by !== null) return { ...words, ...narrowed[by] }
  const warned = record.conformance === 'conformant' ? onlyWarned(record) : 0
  return warned === 0 ? words : { ...words, means: `${words.means} ${warned} of them only with a warning.` }
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
export function scopeLines({ run, plan, findings }: RunRecord): readonly ScopeLine[] {
  const number = (by: LeftOut['by']): number =>
    plan.leftOut.flatMap((one) => (one.by === by ? one.checks : [])).length
  const selection = number('selection')
  const all = plan.checks.length + selection + number('not-declared')
  const needing = findings.filter(({ reason }) => reason === 'opt-in-required').length
  return [
    ...(selection === 0
      ? []
      : [
          {
            title: 'A selection',
            words: `${plan.checks.length} of ${all} checks were asked for, by --only ${patterns(run.only)}`,
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

/** Each as one line of text. */
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
