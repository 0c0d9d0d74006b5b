/**
 * What shows that a state does not hold, whatever its provider says. A probe shows the situation and asks for
 * less than any clause of the state, so that a target that breaks a clause is still seen to be in it. Mostly it
 * looks at what the scenario itself sent while the state held: that costs nothing, and what rests on a state that did
 * not hold is then not judged. See docs/internal/decisions.md.
 */
import { isOfEvent, stateIds, type StateId } from '../../../spec/index.ts'
import { saysStored } from '../../assertions/paused.ts'
import { events, fields, isReplay, isStream } from '../../assertions/reply.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export interface StateProbe {
  /** What speaks against the state in what was sent in it, or null. `probes`, asked for this, decide. */
  contradicts: (held: readonly Exchange[], probes?: readonly Exchange[]) => string | null
  /** A request that is to show it has to be streamed. */
  streamed?: true
  /** A plain message is sent before the scenario, because a scenario may not show the state. */
  asksFirst?: true
  /** An answer that is surprising while the state holds: the state is then probed by plain messages. */
  surprising?: (sent: Exchange) => boolean
  /**
   * It looks at the clause itself, because nothing else shows the state. A target that says by the control
   * protocol that it is in the state is then taken at its word, and judged.
   */
  isTheClause?: true
  /** As `isTheClause`, whoever declares it, but a person: no server has another reason to accept what it refuses. */
  isPromise?: true
}

const answered = (exchange: Exchange): boolean => exchange.response !== null && exchange.failure === null
const turned = (exchange: Exchange): boolean => answered(exchange) && exchange.response?.status === 200

/** Some exchanges can show it, and all of those do. */
function all(held: readonly Exchange[], can: (one: Exchange) => boolean, is: (one: Exchange) => boolean) {
  const able = held.filter(can)
  return able.length > 0 && able.every(is)
}

const presses = (exchange: Exchange): boolean => asked(exchange)?.['interaction'] !== undefined

/** A plain message that a turn ran for; a replay shows what was so when its turn ran. */
const showsPause = (one: Exchange): boolean => turned(one) && !isReplay(one) && !presses(one)

/** A reply as there is none while AI replies are paused. */
function isOrdinary(exchange: Exchange): boolean {
  const reply = fields(exchange)
  return showsPause(exchange) && reply !== null && !saysStored(reply) && Boolean(reply['response'])
}

const nothingRefused: StateProbe = {
  isTheClause: true,
  contradicts: (held) => (all(held, () => true, turned) ? 'every request was answered 200' : null),
}

/** As who asks for an agent that is not there, or not his: the target file may name another one than was meant. */
const isTurnedAway = ({ response }: Exchange): boolean => [401, 403, 404].includes(response?.status ?? 0)

/** A plain message that is refused as a bad one shows that something fails all the same. */
const nothingFailed: StateProbe = {
  contradicts: (held) =>
    all(
      held,
      () => true,
      (one) => turned(one) || isTurnedAway(one),
    )
      ? 'no request met a server error'
      : null,
}

const ordinary: readonly unknown[] = ['token', 'done']

/** A stream with `done`, and no event beside the ordinary ones: which it should have, and how, is for the clauses. */
function hasTextAlone(one: Exchange): boolean {
  const types = events(one).map(({ type }) => type)
  return types.includes('done') && types.every((type) => ordinary.includes(type))
}
const canShowEvents = (one: Exchange): boolean => turned(one) && isStream(one)

const nothingButText: StateProbe = {
  isTheClause: true,
  streamed: true,
  contradicts: (held) =>
    all(held, canShowEvents, hasTextAlone) ? 'the stream had nothing but tokens and `done`' : null,
}

/** A turn that fails when it is streamed fails as well when it is not. */
const turnSucceeds: StateProbe = {
  ...nothingButText,
  surprising: (sent) => canShowEvents(sent) && hasTextAlone(sent),
  contradicts: (held, probes = []) => {
    const isNot = probes.length === 0 || probes.filter(turned).length * 2 > probes.length
    return isNot ? nothingButText.contradicts(held) : null
  },
}

/** It shows in what is delivered alone, or in an answer that the contract does not show: that is for the clauses. */
const unseen: StateProbe = { contradicts: () => null }

type EventState = Extract<StateId, `event.${string}` | `no-event.${string}`>
function everyEvent(): Readonly<Record<EventState, StateProbe>> {
  const events = stateIds.filter(isOfEvent)
  return Object.fromEntries(events.map((id) => [id, unseen])) as Record<EventState, StateProbe>
}

/** Less than the shortest turn that can be overtaken on purpose. */
const slowMs = 100

export const stateProbes: Readonly<Record<StateId, StateProbe>> = {
  'chat.paused': {
    asksFirst: true,
    surprising: (sent) =>
      presses(sent) ? answered(sent) && !(sent.response?.status === 409) : isOrdinary(sent),
    contradicts: (held, probes = []) => {
      const isNot = probes.filter(isOrdinary).length * 2 > probes.length
      const speaks = probes.length > 0 ? isNot : all(held, showsPause, isOrdinary)
      return speaks ? 'a plain message got a reply that is not marked as paused' : null
    },
  },
  'turn.slow': {
    // A turn that we went away from was at least as long as we waited, and may have been longer.
    contradicts: (held) =>
      all(held, turned, (one) => one.endedAt - one.sentAt < slowMs) &&
      held.every((one) => one.endedAt - one.sentAt < slowMs && one.failure === null)
        ? `no turn took ${slowMs} ms`
        : null,
  },
  'key.uncertain': nothingRefused,
  'workflow.current': {
    isTheClause: true,
    contradicts: (held) =>
      all(
        held,
        (one) => turned(one) && !isStream(one),
        (one) => (fields(one)?.['presentation'] ?? null) === null,
      )
        ? 'no reply had a `presentation`'
        : null,
  },
  'credits.exhausted': {
    contradicts(held) {
      const left = held.map((one) => fields(one)?.['credits_remaining'])
      const some = left.filter((credits) => typeof credits === 'number').find((credits) => credits > 0)
      return some === undefined ? null : `a turn ran and ${some} credits are left`
    },
  },
  'rate.limited': nothingRefused,
  'server.500': nothingFailed,
  'server.503': nothingFailed,
  'stream.tool': nothingButText,
  'stream.gate': nothingButText,
  'stream.error': turnSucceeds,
  'plan.disallows': { ...nothingRefused, isPromise: true },
  'webhook.inactive': unseen,
  'approval.approved': unseen,
  'approval.rejected': unseen,
  'task.finished': unseen,
  'operation.uncertain': unseen,
  'plan.without-webhooks': unseen,
  ...everyEvent(),
}
