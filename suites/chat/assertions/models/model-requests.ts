/** The requests of a command sequence as judges see them: each with the first one of its key. */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Context, Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { every, inconclusive } from '../../../scenario/expect.ts'
import { keyOfRequest } from '../race.ts'

export type Exchanges = readonly Exchange[]

export interface SequenceRequest {
  exchange: Exchange
  /** The first request with its key. */
  first: Exchange
  /** Requests with its key in between. */
  between: Exchanges
  /** Everything sent before it in this sequence. */
  before: Exchanges
}

/** Commands that run no turn: their requests refer only to themselves. */
const bad: readonly string[] = ['empty', 'keyless']

export function sequenceRequestsOf(course: Exchanges): readonly SequenceRequest[] {
  const byKey = new Map<string, Exchange[]>()
  return course.map((exchange, at) => {
    const before = course.slice(0, at)
    if (bad.includes(exchange.name)) return { exchange, first: exchange, between: [], before }
    const [first = exchange, ...between] = byKey.get(keyOfRequest(exchange)) ?? []
    byKey.set(keyOfRequest(exchange), [first, ...between, ...(first === exchange ? [] : [exchange])])
    return { exchange, first, between, before }
  })
}

/** Judges every request that matches; inconclusive for a sequence without one. */
export function eachRequest(
  is: (step: SequenceRequest) => boolean,
  judge: (step: SequenceRequest, context: Context) => Judgement,
): SequenceJudge {
  return (course, context) => {
    const steps = sequenceRequestsOf(course).filter(is)
    return steps.length > 0
      ? every(steps, (step) => judge(step, context))
      : inconclusive('no sequence had such a request')
  }
}

/** Requests with these names: the name of an exchange is that of its command. */
export const withName =
  (...names: readonly string[]) =>
  ({ exchange }: SequenceRequest): boolean =>
    names.includes(exchange.name)
