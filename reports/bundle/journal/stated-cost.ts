/** What a response says that it cost, in credits. Known of one whose body is no longer in memory. */
import { joinedInPassing, lengthOf } from '../chunks.ts'
import type { Received } from '../exchange.ts'
import { ownMember, parseJson } from '../json.ts'
import { eventLines } from './event-lines.ts'

const member = 'credits_used'

/** Of responses without their bodies. */
const known = new WeakMap<Received, number | null>()

/** `response`: its body is read only when it is asked for. */
export function rememberCost(response: Received, cost: number | null): void {
  known.set(response, cost)
}

/** Bytes of the largest body that is looked into. */
const most = 16 << 20

/** Of the body alone, or of the last event of a stream; null where neither states any. */
export function statedCost(response: Received): number | null {
  const before = known.get(response)
  if (before !== undefined) return before
  if (response.status !== 200 || lengthOf(response.chunks) > most) return null
  const body = joinedInPassing(response.chunks)
  if (!mayNameIt(body)) return null
  const stated =
    (response.complete ? ownMember(parsed(body), member) : undefined) ??
    (body.includes('data:') ? eventLines({ response }) : [])
      .map(({ value }) => (ownMember(value, 'type') === 'done' ? ownMember(value, member) : undefined))
      .find((one) => one !== undefined)
  return typeof stated === 'number' && Number.isFinite(stated) && stated >= 0 ? stated : null
}

/** Few bodies need to be parsed: most have neither the end of the name nor any escape of ASCII, in which it may be hidden. */
function mayNameIt(body: Buffer): boolean {
  return body.includes('_used') || body.includes('\\u00')
}

function parsed(body: Buffer): unknown {
  const reading = parseJson(body.toString())
  return reading.ok ? reading.value : undefined
}
