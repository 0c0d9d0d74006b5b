/** A course as its judges see it: every request with the first one of its key. */
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Context } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { every, inconclusive } from '../../../scenario/expect.ts'
import { keyOf } from '../race.ts'

export type Exchanges = readonly Exchange[]

export interface Step {
  exchange: Exchange
  /** The first request with its key. */
  first: Exchange
  /** Requests with its key in between. */
  between: Exchanges
  /** Everything sent before it in this course. */
  before: Exchanges
}

/** Steps that no turn comes of: each refers to nothing but itself. */
const bad: readonly string[] = ['empty', 'keyless']

export function stepsOf(course: Exchanges): readonly Step[] {
  const byKey = new Map<string, Exchange[]>()
  return course.map((exchange, at) => {
    const before = course.slice(0, at)
    if (bad.includes(exchange.name)) return { exchange, first: exchange, between: [], before }
    const [first = exchange, ...between] = byKey.get(keyOf(exchange)) ?? []
    byKey.set(keyOf(exchange), [first, ...between, ...(first === exchange ? [] : [exchange])])
    return { exchange, first, between, before }
  })
}

/** Judges every step of a kind; a course without one is inconclusive. */
export function each(
  is: (step: Step) => boolean,
  judge: (step: Step, context: Context) => Judgement,
): CourseJudge {
  return (course, context) => {
    const steps = stepsOf(course).filter(is)
    return steps.length > 0
      ? every(steps, (step) => judge(step, context))
      : inconclusive('no course had such a step')
  }
}

/** Steps of these names: what a scenario calls its exchanges is what they are. */
export const named =
  (...names: readonly string[]) =>
  ({ exchange }: Step): boolean =>
    names.includes(exchange.name)
