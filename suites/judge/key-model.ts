/**
 * What a key has to be by the time of each request of a sequence sent one after another: unused until a turn ran
 * for it, completed from then on. The model is told nothing but the requests, and every step is judged alone.
 */
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { every, inconclusive } from './expect.ts'
import { noSecondRun, ran, replayed } from './once.ts'
import { keyOf } from './race.ts'
import { asked, refusedBeside } from './turn.ts'

/** How a request stands to the first one with its key; `undisturbed` if no other message came between. */
export type Relation = 'first' | 'undisturbed' | 'after-other-message' | 'other-message' | 'other-mode'

interface Step {
  relation: Relation
  first: Exchange
  exchange: Exchange
}

/** Each request with the first one of its key. Those that differ in anything else are not part of the model. */
export function stepsOf(sequence: readonly Exchange[]): readonly Step[] {
  const keys = new Map<string, { first: Exchange; disturbed: boolean }>()
  return sequence.map((exchange) => {
    const known = keys.get(keyOf(exchange)) ?? { first: exchange, disturbed: false }
    const relation = relationOf(known.first, exchange, known.disturbed)
    keys.set(keyOf(exchange), { ...known, disturbed: known.disturbed || relation === 'other-message' })
    return { relation, first: known.first, exchange }
  })
}

function relationOf(first: Exchange, exchange: Exchange, disturbed: boolean): Relation {
  if (first === exchange) return 'first'
  const [one, other] = [asked(first), asked(exchange)]
  if (one?.['message'] !== other?.['message']) return 'other-message'
  if (one?.['stream'] !== other?.['stream']) return 'other-mode'
  return disturbed ? 'after-other-message' : 'undisturbed'
}

const expected: Record<Relation, (first: Exchange, exchange: Exchange) => Judgement> = {
  first: (first) => ran(first),
  undisturbed: (first, exchange) => replayed(first, exchange),
  'after-other-message': (first, exchange) => replayed(first, exchange),
  'other-message': (first, exchange) => refusedBeside(first, exchange, 409),
  'other-mode': (first, exchange) => noSecondRun(first, exchange),
}

/** Every step of these kinds is as the model says; a sequence without one is inconclusive. */
export function follows(sequence: readonly Exchange[], ...relations: readonly Relation[]): Judgement {
  const steps = stepsOf(sequence).filter(({ relation }) => relations.includes(relation))
  if (steps.length === 0) return inconclusive(`the sequence has no step of the kind ${relations.join(', ')}`)
  return every(steps, ({ relation, first, exchange }) => expected[relation](first, exchange))
}
