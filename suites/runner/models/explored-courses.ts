/** Judging a scenario that drew many courses: the smallest failing one first, else each of them apart. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { exploredOf, type Explored, type Minimal, type Notes } from './explored.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context, Judge, NamedExchanges } from '../../scenario/scenario.ts'

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
