/** What honest clients know for certain, and what they must be answered because of it. */
import { formatted } from './phases.ts'

export const entryKinds = ['turn', 'stream', 'note', 'import', 'erasure'] as const
export type EntryKind = (typeof entryKinds)[number]

/** One request with an idempotency key: whatever it was answered once, it is answered ever after. */
export interface Entry {
  readonly key: string
  readonly kind: EntryKind
  /** Of a turn that continues a conversation. */
  readonly conversation?: string
  /** `open`: nobody knows yet what came of it. */
  state: 'open' | 'known' | 'uncertain'
  /** What of the answer may never change. */
  result: string
  /** In thousandths of a credit. */
  used: number
  /** Attempts whose answer never came: the run may go on, or may have been lost with its process. */
  lost: number
}

/** One answer, or why there was none. */
export type Seen =
  | { readonly is: 'result'; readonly result: string; readonly used: number; readonly replayed: boolean }
  | { readonly is: 'in-progress' }
  | { readonly is: 'uncertain' }
  /** Nothing is known: refused, broken off, or 503. */
  | { readonly is: 'away'; readonly words: string }
  | { readonly is: 'wrong'; readonly words: string }

/** A delivery that arrived, as its receiver saw it. */
export interface Arrival {
  readonly id: string
  readonly signed: boolean
  readonly conversation: string
  readonly text: string
}

export const messageOf = ({ key }: Pick<Entry, 'key'>): string => `This is turn ${key}, please.`
export const replyTo = (entry: Pick<Entry, 'key'>): string => `You said: ${messageOf(entry)}`
export const turnResult = (conversation: string, text: string): string => `${conversation}: ${text}`
const keyIn = (text: string): string => /turn (\S+),/.exec(text)?.[1] ?? ''

export interface Oracle {
  readonly entries: readonly Entry[]
  readonly violations: readonly string[]
  /** Credits that all known turns used. */
  readonly spent: number
  /** Deliveries that arrived, each counted once, and arrivals beyond the first. */
  readonly arrivals: { readonly first: number; readonly repeats: number }
  violate(words: string): void
  fresh(kind: EntryKind, conversation?: string): Entry
  /** `wasKnown`: before the request was sent. `declared`: a fault of the rig was on while it was in flight. */
  note(entry: Entry, seen: Seen, wasKnown: boolean, declared: boolean): void
  arrived(arrival: Arrival): void
  /** Known turns without a delivery. */
  missing(): readonly Entry[]
  /** Every request was settled: each known turn was delivered, and the account lost what its turns used. */
  audit(lostCredits: number, why?: string): void
}

const isTurn = ({ kind }: Entry): boolean => kind === 'turn' || kind === 'stream'

export function createOracle(run: string): Oracle {
  const entries: Entry[] = []
  const byKey = new Map<string, Entry>()
  const violations: string[] = []
  /** Id of the delivery of each turn. */
  const delivered = new Map<string, string>()
  const undelivered = new Set<Entry>()
  let spent = 0
  let repeats = 0
  const violate = (words: string): void => void violations.push(words)
  const complain = ({ kind, key }: Entry, words: string): void => violate(`${kind} ${key}: ${words}`)

  const undecided = (): readonly Entry[] =>
    [...delivered.keys()].flatMap((key) => byKey.get(key) ?? []).filter(({ state }) => state !== 'known')

  const settle = (entry: Entry, seen: Extract<Seen, { is: 'result' }>, wasKnown: boolean): void => {
    if (entry.state === 'uncertain') complain(entry, `ran after its outcome was uncertain: ${seen.result}`)
    if (entry.state === 'known' && seen.result !== entry.result)
      complain(entry, `was answered ${formatted(seen.result)} after ${formatted(entry.result)}`)
    if (isTurn(entry) && seen.replayed !== wasKnown && entry.lost === 0)
      complain(entry, wasKnown ? 'a replay is not marked' : 'a first answer is marked as a replay')
    if (entry.state === 'known') return
    Object.assign(entry, { state: 'known', result: seen.result, used: seen.used })
    spent += seen.used
    if (isTurn(entry) && !delivered.has(entry.key)) undelivered.add(entry)
  }
  const doubt = (entry: Entry): void => {
    if (entry.state === 'known') complain(entry, 'a completed run is uncertain now')
    else if (entry.lost === 0) complain(entry, 'is uncertain, though every attempt was answered')
    entry.state = 'uncertain'
  }
  return {
    entries,
    violations,
    get spent() {
      return spent / 1000
    },
    get arrivals() {
      return { first: delivered.size, repeats }
    },
    violate,
    fresh: (kind, conversation) => {
      const key = `${run}-${kind}-${entries.length + 1}`
      const rest = { state: 'open', result: '', used: 0, lost: 0 } as const
      const entry: Entry = { key, kind, ...rest, ...(conversation !== undefined && { conversation }) }
      entries.push(entry)
      byKey.set(key, entry)
      return entry
    },
    note: (entry, seen, wasKnown, declared) => {
      if (seen.is === 'result') return settle(entry, seen, wasKnown)
      if (seen.is === 'uncertain') return doubt(entry)
      if (seen.is === 'wrong') return complain(entry, seen.words)
      if (seen.is === 'in-progress') {
        if (entry.lost === 0) complain(entry, 'is in progress, though no attempt is in flight')
        return
      }
      entry.lost++
      if (!declared) complain(entry, `got no answer outside of every fault: ${seen.words}`)
    },
    arrived: ({ id, signed, conversation, text }) => {
      const entry = byKey.get(keyIn(text))
      if (!signed) return violate(`delivery ${id} has a wrong signature`)
      if (!entry) return violate(`delivery ${id} is of no turn: ${formatted(text)}`)
      const known = delivered.get(entry.key)
      if (known === id) return void repeats++
      if (known !== undefined) return complain(entry, `was delivered as ${known} and as ${id}: it ran twice`)
      delivered.set(entry.key, id)
      undelivered.delete(entry)
      if (text !== replyTo(entry)) complain(entry, `was delivered as ${formatted(text)}`)
      if (entry.state === 'known' && entry.result !== turnResult(conversation, text))
        complain(entry, `was delivered for ${conversation}, and answered ${formatted(entry.result)}`)
    },
    missing: () => [...undelivered],
    audit: (lostCredits, why = '') => {
      for (const entry of undelivered) complain(entry, `no delivery arrived${why && `; ${why}`}`)
      undelivered.clear()
      if (Math.round(lostCredits * 1000) !== spent)
        violate(`the account lost ${lostCredits} credits, its turns used ${spent / 1000}`)
      for (const entry of undecided()) complain(entry, `was delivered, and is ${entry.state}`)
    },
  }
}
