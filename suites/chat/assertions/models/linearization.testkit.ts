/**
 * Whether some order of events explains the history of one key, by trying them all. It knows nothing of the
 * rules: only how one key goes on, and that what happened for a request lies between its sending and its end.
 */
import type { Heard, History, Told } from './history-rules.ts'

interface Reply {
  response: string | null
  conversation: string | null
}

/** `by` is the place in the history of the request that took the key. */
type Key =
  | { is: 'unused' }
  | { is: 'running'; by: number }
  | { is: 'completed'; by: number; reply: Reply | null }
  | { is: 'uncertain'; by: number }
  | { is: 'kept'; by: number }

/** How far a request is: `free` may still do something and need not. */
type Progress = 'must' | 'free' | 'over'
interface Next {
  key: Key
  progress: Progress
}

const unused: Key = { is: 'unused' }

type Step = (history: History, one: Heard, key: Key, at: number) => readonly Next[]

const over = (key: Key): Next => ({ key, progress: 'over' })
const takes =
  (progress: Progress): Step =>
  (_history, _one, key, at) =>
    key.is === 'unused' ? [{ key: { is: 'running', by: at }, progress }] : []
const finds =
  (is: Key['is']): Step =>
  (_history, _one, key) =>
    key.is === is ? [over(key)] : []

/** What the first step of each request needs of the key, and makes of it. */
const begin: Record<Told, Step> = {
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

/** Every way in which one request can take its next step; `started`: it has taken the key. */
function steps(history: History, at: number, key: Key, started: boolean): readonly Next[] {
  const one = history[at]
  if (!one) return []
  if (!started) return begin[one.told](history, one, key, at)
  return 'by' in key && key.by === at ? finishing(one, at, key).map(over) : []
}

/** The second step of what took the key. */
function finishing(one: Heard, at: number, key: Key): readonly Key[] {
  const completed: Key = { is: 'completed', by: at, reply: one.told === 'ran' ? replyOf(one) : null }
  if (key.is === 'uncertain') return one.told === 'lost' ? [completed, unused] : [completed]
  if (key.is !== 'running') return []
  if (one.told === 'ran') return [completed]
  if (one.told === 'refused') return [unused, { is: 'kept', by: at }]
  const uncertain: Key = { is: 'uncertain', by: at }
  return one.told === 'begun' ? [completed, uncertain] : [completed, uncertain, unused]
}

function replaying(history: History, one: Heard, key: Key): readonly Key[] {
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

const replyOf = ({ response, conversation }: Heard): Reply => ({ response, conversation })

/** `started`: has taken the key. */
interface Place {
  progress: Progress
  started: boolean
}

/** A history of up to a dozen requests; the time it takes grows with the orders there are. */
export function hasLinearization(history: History): boolean {
  const seen = new Set<string>()
  const search = (places: readonly Place[], key: Key): boolean => {
    if (places.every(({ progress }) => progress !== 'must')) return true
    const known = JSON.stringify([places, key])
    if (seen.has(known)) return false
    seen.add(known)
    return history.some((one, at) => {
      const place = places[at]
      if (!place || place.progress === 'over' || !isNext(history, places, one)) return false
      return steps(history, at, key, place.started).some(({ key: next, progress }) => {
        // What is uncertain may be reconciled later.
        const left = next.is === 'uncertain' && place.started ? 'free' : progress
        return search(places.with(at, { progress: left, started: true }), next)
      })
    })
  }
  const mustBe = ({ told }: Heard): Progress => (told === 'lost' || told === 'refused' ? 'free' : 'must')
  return search(
    history.map((one) => ({ progress: mustBe(one), started: false })),
    unused,
  )
}

/** Nobody who was answered before this one was sent has still to do something, and nobody sent after its end has. */
function isNext(history: History, places: readonly Place[], { from, to }: Heard): boolean {
  return history.every((other, at) => {
    const place = places[at]
    return !(place?.progress === 'must' && other.to < from) && !(place?.started && other.from > to)
  })
}
