/**
 * A refusal that says nothing about a clause when it comes once: no credits, no permission, too often, not now, or an
 * error of a gateway. Where it came again to every fresh attempt, while requests in between that differ from it were
 * accepted, it is the answer of the target, and is judged. Pure: works on a recorded scenario just the same.
 */
import { replied } from '../../assertions/turn.ts'
import { isStream } from '../../assertions/reply.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { member } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** So many fresh attempts, with a control before, between and after them. */
export const attemptsMost = 3

/** Refusals of which one alone decides nothing. */
export const passingRefusals: readonly number[] = [402, 403, 429, 502, 503, 504]

/** What may be over in a while is attempted for so long, on the target's clock. */
export const attemptsForMs = 120_000
const overInAWhile: readonly number[] = [429, 503]

export function pauseBefore(status: number): number {
  return overInAWhile.includes(status) ? attemptsForMs / attemptsMost : 0
}

export const attemptOf = (name: string): string => `attempt of ${name}`
export const controlOf = (name: string): string => `control of ${name}`

/** A request for what the key of a refused one may do. */
export const withinScopeOf = (name: string): string => `scope of ${name}`

/** Whether it is an attempt, a control or a probe, and no part of the scenario. */
export function isBeside(name: string): boolean {
  return /^(?:attempt|control|probe|scope) of /.test(name)
}

/** The exchanges, each refusal that recurred marked with the number of its attempts. */
export function withRecurrence(exchanges: readonly Exchange[]): readonly Exchange[] {
  const byName = Map.groupBy(exchanges, ({ name }) => name)
  if (!exchanges.some(({ name }) => byName.has(controlOf(name)))) return exchanges
  return exchanges.map((exchange) => {
    const attempts = byName.get(attemptOf(exchange.name)) ?? []
    const controls = byName.get(controlOf(exchange.name)) ?? []
    return recurred(exchange, attempts, controls) ? { ...exchange, recurred: 1 + attempts.length } : exchange
  })
}

function recurred(exchange: Exchange, attempts: readonly Exchange[], controls: readonly Exchange[]): boolean {
  const status = exchange.response?.status ?? 0
  return (
    (passingRefusals.includes(status) || isEndless(exchange)) &&
    attempts.length >= attemptsMost &&
    attempts.every((attempt) => isSame(attempt, exchange)) &&
    controls.length > attempts.length &&
    controls.every(isAccepted) &&
    (status !== 402 || controls.every((control) => attempts.every((one) => hasEnough(control, one))))
  )
}

export function isSame(attempt: Exchange, first: Exchange): boolean {
  if (isEndless(first)) return isEndless(attempt)
  return attempt.failure === null && attempt.response?.status === first.response?.status
}

/** A stream that had neither `done` nor `error` when the time was up that `timing` of the target file allows. */
export function isEndless(exchange: Exchange): boolean {
  const { failure, response } = exchange
  return (
    failure?.kind === 'timeout' &&
    response?.status === 200 &&
    isStream(exchange) &&
    !eventsOf(exchange).some(isTerminal)
  )
}

export function isAccepted(control: Exchange): boolean {
  return replied(control).is === 'pass'
}

/** A control shows that there are credits left, and at least as many as the refusal asks for. */
function hasEnough(control: Exchange, refusal: Exchange): boolean {
  const left = member(control, '/credits_remaining')
  const required = member(refusal, '/credits_required') ?? 0
  return typeof left === 'number' && left > 0 && typeof required === 'number' && left >= required
}
