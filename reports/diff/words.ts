/** A change in the words that every form of the comparison has in common. */
import type { Finding } from '../bundle/record.ts'
import { clockTime } from '../duration.ts'
import { reasons } from '../verdicts/reasons.ts'
import { standingOf } from '../verdicts/standing.ts'
import type { Tone } from '../verdicts/verdicts.ts'
import { verdictWords } from '../verdicts/verdicts.ts'
import type { Change, Comparison, Said, ComparedRun } from './compare.ts'
import { changeKinds, kindWords } from './kinds.ts'
import type { ChangeKind } from './kinds.ts'

export interface ChangedAnswer {
  sign: string
  words: string
  tone: Tone
}

export function changedAnswerOf({ outcome, obstacle, changes }: Comparison): ChangedAnswer {
  if (obstacle !== null) return { sign: '‼', words: `not comparable: ${obstacle}`, tone: 'bad' }
  if (outcome === 'worse') return { sign: '✗', words: 'something got worse', tone: 'bad' }
  if (outcome === 'less') return { sign: '–', words: 'nothing got worse, and less was tested', tone: 'doubt' }
  const isAsBefore = changes.every(({ kind, marks }) => kind === 'still failing' && marks.length === 0)
  const words = isAsBefore ? 'nothing changed' : 'nothing got worse'
  return { sign: '✓', words, tone: 'good' }
}

export function byKind({ changes }: Comparison): readonly (readonly [ChangeKind, readonly Change[]])[] {
  return changeKinds.flatMap((kind) => {
    const found = changes.filter((change) => change.kind === kind)
    return found.length === 0 ? [] : [[kind, found] as const]
  })
}

/** Such as `2 regressed, 1 fixed; 759 as before`. */
export function countsOf(comparison: Comparison): string {
  const counts = byKind(comparison).map(([kind, found]) => `${found.length} ${kindWords[kind].word}`)
  const same = `${comparison.unchanged} as before`
  return counts.length === 0 ? same : `${counts.join(', ')}; ${same}`
}

/** Such as `staging 4.12.3, 2026-11-01 12:00:00 UTC, touchstone 0.1.0, seed 42, 762 checks`. */
export function sideWords({ target, version, startedAt, tool, seed, checks }: ComparedRun): string {
  const what = version === undefined ? target : `${target} ${version}`
  return [what, clockTime(startedAt), tool, `seed ${seed}`, `${checks} checks`].join(', ')
}

/** For readers who were not there when it was run; empty where the service itself was asked. */
export function simulatorWords({ after }: Comparison): string {
  return after.kind === 'simulator' ? 'Simulator run. It says nothing about the live service.' : ''
}

/** What has to be said before anything else is read: a run that says less than it planned to. */
export function cautions({ before, after }: Comparison): readonly string[] {
  const rest = 'What had not run by then was not tested and is listed below as'
  return [
    ...early('earlier', before, `${rest} gained or new.`),
    ...early('later', after, `${rest} coverage lost.`),
  ]
}

function early(which: string, { ends }: ComparedRun, rest: string): readonly string[] {
  return ends === null ? [] : [`The ${which} run is not whole: ${ends.replace(/\.$/, '')}. ${rest}`]
}

/** Such as `✓ pass → ✗ fail`; one of them where both are the same. */
export function stepOf({ before, after }: Pick<Change, 'before' | 'after'>): string {
  if (before?.verdict === after?.verdict) return verdictOf(after)
  return `${verdictOf(before)} → ${verdictOf(after)}`
}

function verdictOf(said?: Said): string {
  if (!said) return 'not there'
  const { sign, word } = verdictWords[said.verdict]
  return `${sign} ${word}`
}

/** What both runs said, by name; only what there is to say. */
export function fieldsOf(change: Change): readonly (readonly [name: string, value: string])[] {
  const { before, after, area, look } = change
  const isOpen = change.kind === 'coverage lost' || change.kind === 'observation lost'
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['expected', after?.expected],
    ['actual', after?.got],
    [
      'before',
      after?.got !== undefined && before?.got === after.got ? undefined : before && summaryOf(before),
    ],
    ['now', after?.got !== undefined || !after ? undefined : summaryOf(after)],
    ['because', isOpen && !after ? 'the later run did not plan it' : undefined],
    ['standing', [standing(area, after), ...comparisonNotes(change)].filter(Boolean).join('; ') || undefined],
    ['reproduce', look && `${look}/repro.sh`],
  ]
  return rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  )
}

export function comparisonNotes({ marks, spared }: Pick<Change, 'marks' | 'spared'>): readonly string[] {
  return [...marks, ...(spared ? ['does not count'] : [])]
}

function standing(area: Finding['area'], said?: Said): string | undefined {
  return said && standingOf({ ...said, area })
}

/** What a run recorded beside its verdict; nothing for a pass. */
function summaryOf({ verdict, reason, detail, expected, got }: Said): string | undefined {
  if (verdict === 'pass') return undefined
  if (got !== undefined) return `expected ${expected ?? 'nothing recorded'}, got ${got}`
  return [reason && reasons[reason].says, detail].filter(Boolean).join(' ') || undefined
}
