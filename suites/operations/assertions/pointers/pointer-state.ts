/** Finds the state of tasks and approvals, and the count of an effect. */
import type { Decision, Dialect } from '../../../config/dialect.ts'
import { json, member } from '../../../wire/body.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { at, type Json } from '../../../wire/json.ts'
import { isArray } from '../../../assertions/pointer.ts'

/** Undefined if there is none; without a declaration only the name in the contract is used. */
export function taskStateIn(task: Exchange, { task: declared }: Dialect): Json | undefined {
  return member(task, declared?.state ?? '/state')
}

const stateNames = ['/state', '/status', '/decision', '/approval/state', '/approval/status', '/data/state']

const words: Readonly<Record<Decision, readonly string[]>> = {
  pending: ['pending', 'pending_approval', 'waiting', 'requested', 'open'],
  approved: ['approved', 'accepted', 'granted', 'completed'],
  rejected: ['rejected', 'denied', 'declined', 'refused', 'failed'],
}

/** The decision of an approval; null if nothing declared, or known to the search, shows one. */
export function decisionIn(approval: Exchange, { approval: declared = {} }: Dialect): Decision | null {
  const body = json(approval)
  if (!body.ok) return null
  const places = declared.state === undefined ? stateNames : [declared.state]
  for (const place of places) {
    const said = at(body.value, place)
    const decision = typeof said === 'string' ? decisionOf(said, declared) : null
    if (decision !== null) return decision
  }
  return null
}

function decisionOf(said: string, declared: NonNullable<Dialect['approval']>): Decision | null {
  const decisions = Object.keys(words) as Decision[]
  const means = (decision: Decision) => declared[decision] ?? words[decision]
  const word = said.toLowerCase()
  return decisions.find((decision) => means(decision).some((one) => one.toLowerCase() === word)) ?? null
}

/** A number, or the length of a list, at a pointer of the body; null if it has neither. */
export function countIn(exchange: Exchange, pointer: string): number | null {
  const found = member(exchange, pointer)
  if (typeof found === 'number') return found
  return isArray(found) ? found.length : null
}

/** The content of a listing: the body of its route, or the `data` of a completed receipt. */
export function shownIn(exchange: Exchange): Json | undefined {
  const isExecution = exchange.request.path.includes('/operation-executions/')
  return member(exchange, isExecution ? '/data' : '')
}
