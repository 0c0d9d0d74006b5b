/**
 * Searches all orders of events for one that explains the history of a key. It does not use the rules: it knows only
 * the states of a key, and that a request takes effect between its sending and its end.
 */
import type { KeyedRequest, KeyHistory, RequestOutcome } from './history-rules.ts'

interface Reply {
  response: string | null
  conversation: string | null
}

/** `by`: index in the history of the request that occupied the key. */
type Key =
  | { is: 'unused' }
  | { is: 'running'; by: number }
  | { is: 'completed'; by: number; reply: Reply | null }
  | { is: 'uncertain'; by: number }
  | { is: 'kept'; by: number }

/** `must`: has to take effect. `free`: may still take effect. `over`: has finished. */
type Progress = 'must' | 'free' | 'over'
interface Next {
  key: Key
  progress: Progress
}

const unused: Key = { is: 'unused' }

type Step = (history: KeyHistory, one: KeyedRequest, key: Key, at: number) => readonly Next[]

const over = (key: Key): Next => ({ key, progress: 'over' })
const takes =
  (progress: Progress): Step =>
  (_history, _one, key, at) =>
    key.is === 'unused' ? [{ key: { is: 'running', by: at }, progress }] : []
const finds =
  (is: Key['is']): Step =>
  (_history, _one, key) =>
    key.is === is ? [over(key)] : []

/** For each outcome, the state of the key that the first step requires, and the state it leads to. */
const begin: Record<RequestOutcome, Step> = {
  ran: takes('must'),
  refused: takes('must'),
  begun: takes('free'),
  lost: takes('free'),
  'in-progress': finds('running'),
  uncertain: finds('uncertain'),
  conflict: (history, { content, carrier }, key) => {
    if (key.is === 'unused' || key.is === 'uncertain') return []
    const holder = history[key.by]
    return holder?.content === content && holder.carrier === carrier ? [] : [over(key)]
  },
  replayed: (history, one, key) => replaying(history, one, key).map(over),
}

/** Every possible next step of one request; `started`: it has occupied the key. */
function steps(history: KeyHistory, at: number, key: Key, started: boolean): readonly Next[] {
  const one = history[at]
  if (!one) return []
  if (!started) return begin[one.outcome](history, one, key, at)
  return 'by' in key && key.by === at ? finishing(one, at, key).map(over) : []
}

/** The second step of the request that occupied the key. */
function finishing(one: KeyedRequest, at: number, key: Key): readonly Key[] {
  const completed: Key = { is: 'completed', by: at, reply: one.outcome === 'ran' ? replyOf(one) : null }
  if (key.is === 'uncertain') return one.outcome === 'lost' ? [completed, unused] : [completed]
  if (key.is !== 'running') return []
  if (one.outcome === 'ran') return [completed]
  if (one.outcome === 'refused') return [unused, { is: 'kept', by: at }]
  const uncertain: Key = { is: 'uncertain', by: at }
  return one.outcome === 'begun' ? [completed, uncertain] : [completed, uncertain, unused]
}

function replaying(history: KeyHistory, one: KeyedRequest, key: Key): readonly Key[] {
  if (key.is !== 'completed' || history[key.by]?.message !== one.message) return []
  const { reply } = key
  if (reply === null) return [{ ...key, reply: replyOf(one) }]
  const same = (member: keyof Reply): boolean =>
    one[member] === null || reply[member] === null || one[member] === reply[member]
  if (!same('response') || !same('conversation')) return []
  const { response, conversation } = replyOf(one)
  return [
    {
      ...key,
      reply: { response: reply.response ?? response, conversation: reply.conversation ?? conversation },
    },
  ]
}

const replyOf = ({ response, conversation }: KeyedRequest): Reply => ({ response, conversation })

/** `started`: has occupied the key. */
interface RequestState {
  progress: Progress
  started: boolean
}

/** Expects a history of up to a dozen requests; the time grows with the number of orders. */
export function hasLinearization(history: KeyHistory): boolean {
  const seen = new Set<string>()
  const search = (places: readonly RequestState[], key: Key): boolean => {
    if (places.every(({ progress }) => progress !== 'must')) return true
    const known = JSON.stringify([places, key])
    if (seen.has(known)) return false
    seen.add(known)
    return history.some((one, at) => {
      const place = places[at]
      if (!place || place.progress === 'over' || !isNext(history, places, one)) return false
      return steps(history, at, key, place.started).some(({ key: next, progress }) => {
        // An uncertain outcome may be reconciled later.
        const left = next.is === 'uncertain' && place.started ? 'free' : progress
        return search(places.with(at, { progress: left, started: true }), next)
      })
    })
  }
  const mustBe = ({ outcome }: KeyedRequest): Progress =>
    outcome === 'lost' || outcome === 'refused' ? 'free' : 'must'
  return search(
    history.map((one) => ({ progress: mustBe(one), started: false })),
    unused,
  )
}

/** No unfinished request ended before this one was sent, and none that started was sent after this one ended. */
function isNext(history: KeyHistory, places: readonly RequestState[], { from, to }: KeyedRequest): boolean {
  return history.every((other, at) => {
    const place = places[at]
    return !(place?.progress === 'must' && other.to < from) && !(place?.started && other.from > to)
  })
}
