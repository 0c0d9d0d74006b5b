/**
 * Rules over the history of one idempotency key: every request with it, when it was sent and answered, and what
 * it was told. What the server did lies somewhere between the two moments, so a rule is only broken where no
 * order of events explains what was told. What nobody knows the end of may end at any time, or never.
 *
 * A search of all orders (`linearization.testkit.ts`) is held against these rules. Whatever a rule names has no
 * order that explains it. Of drawn histories without one, the search alone sees fewer than one in a hundred: those
 * that only the order of three or more answers rules out, such as a key that was uncertain and is in progress
 * again, or a conflict between two moments in which its only rival cannot have held the key. The rules leave these
 * open, because a server may have reconciled the turn in the meantime. They alone tell which promise is broken.
 */

/**
 * `ran`: a turn, answered to its end. `begun`: a turn whose answer was cut. `replayed`: from the record. `lost`:
 * no whole answer, or a server error, so that everything may have become of it. `refused`: in a way that says
 * nothing about the key, which it may have held until then.
 */
export type Told =
  | 'ran'
  | 'begun'
  | 'replayed'
  | 'in-progress'
  | 'conflict'
  | 'uncertain'
  | 'refused'
  | 'lost'

export interface Heard {
  /** Of its exchange. */
  readonly id: number
  readonly from: number
  /** Infinity where nobody knows the end. */
  readonly to: number
  readonly told: Told
  /** Requests with the same message are one turn, however else they differ. */
  readonly message: string
  /** All that tells requests apart, but the way in which they carry the key. */
  readonly content: string
  /** Where it carries the key: `body`, or the name of a header. */
  readonly carrier: string
  readonly stream: boolean
  /** Of what ran or was replayed; null where it cannot be read. */
  readonly response: string | null
  readonly conversation: string | null
}

export type History = readonly Heard[]

export const violations = {
  'no-run': 'every request was answered, and the turn ran for none of them',
  'second-run': 'the turn ran again while it ran already',
  'original-after-reply': 'the turn ran for a request that was sent after a reply had ended',
  'replay-before-run': 'a reply was replayed before any turn could have made it',
  'rival-served': 'two messages were both served under one key',
  'different-response': 'a replay has another response than the reply it repeats',
  'different-conversation': 'a replay has another conversation than the reply it repeats',
  'reply-of-another-key': 'a replay has the reply of another key',
  'in-progress-after-reply': 'the key was in progress for a request that was sent after a reply had ended',
  'in-progress-without-run': 'the key was in progress while no turn can have run',
  'conflict-without-rival': 'a conflict was said where no other request can have taken the key',
  'conflict-after-own-reply': 'a conflict was said to the very request whose reply had ended',
  'uncertain-after-reply': 'the key was uncertain for a request that was sent after a reply had ended',
  'uncertain-without-loss': 'the key was uncertain though the answer of every turn is known',
} as const
export type ViolationName = keyof typeof violations

export interface Violation {
  readonly name: ViolationName
  /** The request that has no explanation. */
  readonly at: Heard
  /** What it contradicts. */
  readonly beside: History
}

type Rule = (at: Heard, history: History) => History | null

/** Was told one of these. */
export const among = (...kinds: readonly Told[]) => {
  const set = new Set(kinds)
  return ({ told }: Heard): boolean => set.has(told)
}
const isRun = among('ran', 'begun')
const isReply = among('ran', 'replayed')
const isServed = among('ran', 'begun', 'replayed')
/** For these the key may have been taken. */
const holds = among('ran', 'begun', 'lost', 'refused')
/** Of these a reply may have come. */
const completes = among('ran', 'begun', 'lost')
const loses = among('begun', 'lost')

const ended = (one: Heard, other: Heard): boolean => one.to < other.from
const meet = (one: Heard, other: Heard): boolean => !ended(one, other) && !ended(other, one)
const sentBefore = (one: Heard, at: Heard): boolean => one.from <= at.to
/** The list where something is in it; null is no violation. */
const some = (found: History): History | null => (found.length > 0 ? found : null)
/** The list where nothing explains it. */
const unless = (explained: boolean): History | null => (explained ? null : [])

/** What a server may never call another request. One that carries the key elsewhere has another body. */
const isSame = (one: Heard, other: Heard): boolean =>
  one.content === other.content && one.carrier === other.carrier

const endedReplies = (at: Heard, history: History): History =>
  history.filter((one) => isReply(one) && ended(one, at))

const servedRivals = (at: Heard, history: History): History =>
  history.filter((one) => isServed(one) && one.message !== at.message)

const ownReplies = (at: Heard, history: History): History =>
  history.filter((one) => one.told === 'ran' && isSame(one, at) && ended(one, at))

/** One row for each name that is of single requests of one key. */
const rules: Record<
  Exclude<ViolationName, 'no-run' | 'reply-of-another-key'>,
  readonly [ReturnType<typeof among>, Rule]
> = {
  'second-run': [
    isRun,
    (at, history) =>
      some(
        history.filter(
          (one) => isRun(one) && one.message === at.message && isLater(at, one) && !ended(one, at),
        ),
      ),
  ],
  'original-after-reply': [
    isRun,
    (at, history) => some(endedReplies(at, history).filter(({ message }) => message === at.message)),
  ],
  'replay-before-run': [
    among('replayed'),
    (at, history) =>
      unless(
        servedRivals(at, history).length > 0 ||
          history.some((one) => completes(one) && one.message === at.message && sentBefore(one, at)),
      ),
  ],
  'rival-served': [
    isServed,
    // Where its own message ran too, the run is told of, and not what repeats it.
    (at, history) =>
      at.told === 'replayed' && history.some((one) => isRun(one) && one.message === at.message)
        ? null
        : some(servedRivals(at, history).filter((one) => isRival(at, one))),
  ],
  'different-response': [among('replayed'), differs('response')],
  'different-conversation': [among('replayed'), differs('conversation')],
  'in-progress-after-reply': [among('in-progress'), (at, history) => some(endedReplies(at, history))],
  'in-progress-without-run': [
    among('in-progress'),
    (at, history) => unless(history.some((one) => holds(one) && meet(one, at))),
  ],
  'conflict-without-rival': [
    among('conflict'),
    (at, history) =>
      ownReplies(at, history).length > 0 ||
      history.some((one) => holds(one) && !isSame(one, at) && sentBefore(one, at))
        ? null
        : history.filter((one) => one.told === 'begun' && isSame(one, at)),
  ],
  'conflict-after-own-reply': [
    among('conflict'),
    // Where a rival was served too, that is what is told of.
    (at, history) => (servedRivals(at, history).length > 0 ? null : some(ownReplies(at, history))),
  ],
  'uncertain-after-reply': [among('uncertain'), (at, history) => some(endedReplies(at, history))],
  'uncertain-without-loss': [
    among('uncertain'),
    (at, history) => unless(history.some((one) => loses(one) && sentBefore(one, at))),
  ],
}

/** Of two runs the one whose answer ended first is the turn, and the other one is told of. */
function isLater(at: Heard, one: Heard): boolean {
  return at.to > one.to || (at.to === one.to && at.id > one.id)
}

/** Of two messages that were served, one that ran is the turn; else the one that was answered first. */
function isRival(at: Heard, one: Heard): boolean {
  return isRun(at) === isRun(one) ? isLater(at, one) : isRun(one)
}

/** Of the reply that ran or, where nobody saw it, of the replay that was answered first. */
function differs(member: 'response' | 'conversation'): Rule {
  return (at, history) => {
    const known = history.filter((one) => isReply(one) && one[member] !== null && one.message === at.message)
    // A turn whose reply nobody saw ran too: that is what is told of.
    if (history.some(({ told, message }) => told === 'begun' && message === at.message) && known.some(isRun))
      return null
    const runs = known.filter(({ told }) => told === 'ran')
    const originals = runs.length > 0 ? runs : known.toSorted((a, b) => a.to - b.to).slice(0, 1)
    if (at[member] === null || originals.some((one) => one[member] === at[member])) return null
    return some(originals)
  }
}

/** All that no order of events explains; an empty history has none. */
export function violationsOf(history: History): readonly Violation[] {
  const [first] = history
  // Where nothing ran at all, every single answer is without an explanation: that is said once.
  if (first && !history.some(holds)) return [{ name: 'no-run', at: first, beside: history.slice(1) }]
  return Object.entries(rules).flatMap(([name, [concerns, rule]]) =>
    history.filter(concerns).flatMap((at) => {
      const beside = rule(at, history)
      return beside ? [{ name: name as keyof typeof rules, at, beside }] : []
    }),
  )
}

/** Of several keys: replays that repeat what another key was told, and not what their own was. */
export function foreignReplies(histories: readonly History[]): readonly Violation[] {
  return histories.flatMap((history) => {
    const others = histories.filter((other) => other !== history).flat()
    return history.filter(among('replayed')).flatMap((at) => {
      if (at.response === null || history.some((one) => one.told === 'ran' && sameReply(one, at))) return []
      const beside = others.filter((one) => one.told === 'ran' && sameReply(one, at))
      return beside.length > 0 ? [{ name: 'reply-of-another-key' as const, at, beside }] : []
    })
  })
}

const sameReply = (one: Heard, other: Heard): boolean =>
  one.response === other.response && one.conversation === other.conversation
