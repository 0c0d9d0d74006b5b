/** Judges a scenario with many command sequences: the smallest failing one first, else each of them. */
import type { ClauseId } from '../../spec/index.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Context, Judge, Judgement } from '../scenario/scenario.ts'
import type { NamedExchanges } from '../scenario/exchange-names.ts'

type Exchanges = readonly Exchange[]

export type SequenceJudge = (sequence: Exchanges, context: Context) => Judgement
export type SequenceJudges = Readonly<Record<string, SequenceJudge>>

export function isAgainst({ is }: Judgement): boolean {
  return is === 'fail' || is === 'warn'
}

export function overSequences<const N extends string, C extends ClauseId>(
  judges: Readonly<Record<C, SequenceJudge>>,
  exchangesOf: (scenario: NamedExchanges<N>) => Exchanges,
): Readonly<Record<C, Judge<N>>> {
  const entries = Object.entries<SequenceJudge>(judges).map(([clause, judge]) => {
    const whole: Judge<N> = (scenario, context) =>
      judgeSequences(
        exchangesOf(scenario).toSorted((a, b) => a.id - b.id),
        context,
        judge,
      )
    return [clause, whole]
  })
  return Object.fromEntries(entries) as Record<C, Judge<N>>
}

export function judgeSequences(exchanges: Exchanges, context: Context, judge: SequenceJudge): Judgement {
  const explored = exploredOf(context.notes)
  const minimal = explored?.failure ? [within(exchanges, explored.failure)] : []
  const judged: Judgement[] = []
  // The exchanges of each sequence; those of an interrupted one are the last.
  const ends = explored?.ends ?? []
  const execution = ends.map((to, at) => within(exchanges, { from: (ends[at - 1] ?? 0) + 1, to }))
  const rest = exchanges.filter(({ id }) => id > (ends.at(-1) ?? 0))
  for (const sequence of [...minimal, ...[...execution, rest].filter(({ length }) => length > 0)]) {
    const judgement = judge(sequence, context)
    if (isAgainst(judgement)) return judgement
    judged.push(judgement)
  }
  // Not every sequence has every kind of command: passes if some pass and none fails.
  const passed = judged.filter(({ is }) => is === 'pass').length
  if (passed > 0) return { is: 'pass', note: `passed in ${passed} of ${judged.length} sequences` }
  return (
    judged.find(({ is }) => is === 'not-applicable') ??
    judged[0] ?? { is: 'inconclusive', because: 'no sequence was run' }
  )
}

function within(exchanges: Exchanges, { from, to }: Pick<Minimal, 'from' | 'to'>): Exchanges {
  return exchanges.filter(({ id }) => id >= from && id <= to)
}

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
  /** Sequences up to the first failure, included; all if none failed. */
  runs: number
  /** Requests up to the first failure; all if none failed. */
  requests: number
  failure: Minimal | null
  /** Id of the last exchange of each sequence, in order; absent if sequences share exchanges. */
  ends?: readonly number[]
}

export interface Minimal {
  /** Ids of the first and the last exchange of the smallest failing sequence, in its last run. */
  from: number
  to: number
  shrinking: number
  /** How often it failed when it was repeated. */
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

export function sequenceNotesOf({ runs, requests, failure, ends }: Explored): Notes {
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

export function exploredOf(notes: Notes): Explored | null {
  const number = (name: string): number | null => {
    const value = notes[name]
    return typeof value === 'number' ? value : null
  }
  const [runs, requests] = [number(names.runs), number(names.requests)]
  if (runs === null || requests === null) return null
  const ends = notes[names.ends]
  const listed = typeof ends === 'string' && { ends: ends.split(' ').filter(Boolean).map(Number) }
  const looked = { runs, requests, ...listed }
  const [from, to] = [number(names.from), number(names.to)]
  if (from === null || to === null) return { ...looked, failure: null }
  const reproduced = { times: number(names.times) ?? 0, of: number(names.of) ?? 0 }
  return { ...looked, failure: { from, to, shrinking: number(names.shrinking) ?? 0, reproduced } }
}
