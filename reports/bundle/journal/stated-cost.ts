/** What a response says that it cost, in credits. Known of one whose body is no longer in memory. */
import { joinedInPassing, lengthOf } from '../chunks.ts'
import type { Received } from '../exchange.ts'
import { costInBody } from './cost-in-body.ts'

/** Of responses without their bodies. */
const known = new WeakMap<Received, number | null>()

/** `response`: its body is read only when it is asked for. */
export function rememberCost(response: Received, cost: number | null): void {
  known.set(response, cost)
}

/** Bytes of the largest body that is looked into. */
const most = 16 << 20

/** Null where it states none. */
export function statedCost(response: Received): number | null {
  const before = known.get(response)
  if (before !== undefined) return before
  if (response.status !== 200 || lengthOf(response.chunks) > most) return null
  return costInBody(joinedInPassing(response.chunks), response.complete)
}
