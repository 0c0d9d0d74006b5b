/** What the clients' record, the endpoint and the account say together: every line of `broken` is a promise broken. */
import type { Endpoint } from './endpoint.ts'
import type { Record, Turn } from './record.ts'

export interface Outcome {
  readonly turns: number
  readonly completed: number
  readonly uncertain: number
  /** Deliveries that arrived, each counted once. */
  readonly deliveries: number
  /** Arrivals beyond the first of each. */
  readonly repeats: number
  readonly broken: readonly string[]
}

export interface Evidence {
  readonly record: Record
  readonly open: readonly Turn[]
  readonly endpoint: Pick<Endpoint, 'arrived'>
  /** What the account lost, in credits. */
  readonly spent: number
}

/** Credits come in thousandths. */
const whole = (credits: number): number => Math.round(credits * 1000)

export function missing({ record, endpoint }: Pick<Evidence, 'record' | 'endpoint'>): readonly Turn[] {
  return record.turns.filter(
    ({ state, conversation }) => state === 'completed' && !endpoint.arrived.has(conversation),
  )
}

export function judge(evidence: Evidence): Outcome {
  const { record, open, endpoint, spent } = evidence
  const completed = record.turns.filter(({ state }) => state === 'completed')
  const own = new Set(completed.map(({ conversation }) => conversation))
  const cost = completed.reduce((sum, { used }) => sum + whole(used), 0)
  const arrivals = [...endpoint.arrived.values()].flatMap((ids) => [...ids.values()])
  const broken = [
    ...record.broken,
    ...open.map(({ key }) => `the turn ${key} never came to anything`),
    ...(own.size === completed.length ? [] : ['two turns came to the same conversation']),
    ...missing(evidence).map(({ key }) => `of the turn ${key} no delivery arrived`),
    ...[...endpoint.arrived]
      .filter(([conversation]) => !own.has(conversation))
      .map(([conversation]) => `a delivery is about ${conversation}, which has no completed turn`),
    ...[...endpoint.arrived]
      .filter(([, ids]) => ids.size !== 1)
      .map(([conversation, ids]) => `${conversation} was delivered under ${ids.size} different ids`),
    ...(cost === whole(spent) ? [] : [`the account lost ${spent} credits, the turns cost ${cost / 1000}`]),
  ]
  return {
    turns: record.turns.length,
    completed: completed.length,
    uncertain: record.turns.filter(({ state }) => state === 'uncertain').length,
    deliveries: endpoint.arrived.size,
    repeats: arrivals.reduce((sum, count) => sum + count - 1, 0),
    broken,
  }
}
