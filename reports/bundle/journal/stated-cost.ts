/** What a response says that it cost, in credits. */
import { joined } from '../chunks.ts'
import type { Received } from '../exchange.ts'
import { ownMember, parseJson } from '../json.ts'
import { eventLines } from './event-lines.ts'

const member = 'credits_used'

/** In its body alone, or in the last event of a stream; null where neither states any. */
export function statedCost({ status, complete, chunks }: Received): number | null {
  const body = status === 200 ? joined(chunks) : Buffer.alloc(0)
  if (!mayNameIt(body)) return null
  const stated =
    (complete ? ownMember(parsed(body), member) : undefined) ??
    (body.includes('data:') ? eventLines([{ at: 0, bytes: body }]) : [])
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
