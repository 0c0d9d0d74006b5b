/** Judging a scenario that drew many courses: the smallest failing one first, else each of them apart. */
import type { ClauseId } from '../../spec/index.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Judgement } from '../scenario/judgement.ts'
import type { Context, Judge } from '../scenario/scenario.ts'
import type { NamedExchanges } from '../scenario/exchange-names.ts'

type Exchanges = readonly Exchange[]

/** Judges the exchanges of one course, in the order sent. */
export type CourseJudge = (course: Exchanges, context: Context) => Judgement
export type CourseJudges = Readonly<Record<string, CourseJudge>>

export function isAgainst({ is }: Judgement): boolean {
  return is === 'broken' || is === 'weak'
}

/** The judges of a scenario, from those of one course; `told` names what the scenario has of exchanges. */
export function overCourses<const N extends string, C extends ClauseId>(
  judges: Readonly<Record<C, CourseJudge>>,
  told: (scenario: NamedExchanges<N>) => Exchanges,
): Readonly<Record<C, Judge<N>>> {
  const entries = Object.entries<CourseJudge>(judges).map(([clause, judge]) => {
    const whole: Judge<N> = (scenario, context) =>
      judgeCourses(
        told(scenario).toSorted((a, b) => a.id - b.id),
        context,
        judge,
      )
    return [clause, whole]
  })
  return Object.fromEntries(entries) as Record<C, Judge<N>>
}

/** What is broken in the smallest failing course is broken there; else in the first that breaks it. */
export function judgeCourses(told: Exchanges, context: Context, judge: CourseJudge): Judgement {
  const explored = exploredOf(context.notes)
  const minimal = explored?.failure ? [within(told, explored.failure)] : []
  const judged: Judgement[] = []
  for (const course of [...minimal, ...coursesOf(told, explored)]) {
    const judgement = judge(course, context)
    if (isAgainst(judgement)) return judgement
    judged.push(judgement)
  }
  return best(judged)
}

function within(told: Exchanges, { from, to }: Pick<Minimal, 'from' | 'to'>): Exchanges {
  return told.filter(({ id }) => id >= from && id <= to)
}

/** The exchanges of each course; those of one that was not played to its end are the last. */
function coursesOf(told: Exchanges, explored: Explored | null): readonly Exchanges[] {
  const ends = explored?.ends ?? []
  const execution = ends.map((to, at) => within(told, { from: (ends[at - 1] ?? 0) + 1, to }))
  const rest = told.filter(({ id }) => id > (ends.at(-1) ?? 0))
  return [...execution, rest].filter(({ length }) => length > 0)
}

/** Not every course has a step of every kind: what some could show, and none broke, holds. */
function best(judged: readonly Judgement[]): Judgement {
  const passed = judged.filter(({ is }) => is === 'pass').length
  if (passed > 0) return { is: 'pass', note: `held in ${passed} of ${judged.length} courses` }
  return (
    judged.find(({ is }) => is === 'not-applicable') ??
    judged[0] ?? { is: 'inconclusive', because: 'no course was run' }
  )
}

/** What is shown of a failure: the course it stands in, and of the smallest one how often it failed again. */
export function shownOf(notes: Notes, exchange: number): { from: number; to: number; words?: string } | null {
  const explored = exploredOf(notes)
  if (explored === null) return null
  const { failure, ends = [] } = explored
  if (failure && failure.from <= exchange && exchange <= failure.to) {
    const { from, to, reproduced } = failure
    return { from, to, words: `reproduced ${reproduced.times} of ${reproduced.of}` }
  }
  const to = ends.find((end) => exchange <= end)
  const before = ends.findLast((end) => end < exchange)
  return to === undefined ? null : { from: (before ?? 0) + 1, to }
}

type Notes = Context['notes']

export interface Explored {
  /** Courses played before the first that failed, that one included; all of them where none did. */
  runs: number
  /** Requests sent until the first failure was seen; all that were sent where none was. */
  requests: number
  /** Null where nothing failed. */
  failure: Minimal | null
  /** Id of the last exchange of every course that was run, in order; absent where courses share exchanges. */
  ends?: readonly number[]
}

export interface Minimal {
  /** Ids of the first and the last exchange of the smallest failing course, as it was run last. */
  from: number
  to: number
  /** Requests spent on making it small. */
  shrinking: number
  /** Played so many times more, it failed so many times. */
  reproduced: { times: number; of: number }
}

const names = {
  runs: 'explored: runs',
  requests: 'explored: requests',
  ends: 'explored: last exchanges',
  from: 'minimal: first exchange',
  to: 'minimal: last exchange',
  shrinking: 'minimal: requests to shrink',
  times: 'minimal: reproduced',
  of: 'minimal: tried again',
} as const

/** As notes of the scenario. */
export function notesOf({ runs, requests, failure, ends }: Explored): Notes {
  const apart: Notes = ends === undefined ? {} : { [names.ends]: ends.join(' ') }
  const looked = { [names.runs]: runs, [names.requests]: requests, ...apart }
  if (failure === null) return looked
  const { from, to, shrinking, reproduced } = failure
  return {
    ...looked,
    [names.from]: from,
    [names.to]: to,
    [names.shrinking]: shrinking,
    [names.times]: reproduced.times,
    [names.of]: reproduced.of,
  }
}

/** From the notes of a scenario; null for one that drew no course. */
export function exploredOf(notes: Notes): Explored | null {
  const number = (name: string): number | null => {
    const value = notes[name]
    return typeof value === 'number' ? value : null
  }
  const [runs, requests] = [number(names.runs), number(names.requests)]
  if (runs === null || requests === null) return null
  const looked = { runs, requests, ...endsOf(notes[names.ends]) }
  const [from, to] = [number(names.from), number(names.to)]
  if (from === null || to === null) return { ...looked, failure: null }
  const reproduced = { times: number(names.times) ?? 0, of: number(names.of) ?? 0 }
  return { ...looked, failure: { from, to, shrinking: number(names.shrinking) ?? 0, reproduced } }
}

function endsOf(note: Notes[string] | undefined): Pick<Explored, 'ends'> {
  return typeof note === 'string' ? { ends: note.split(' ').filter(Boolean).map(Number) } : {}
}
