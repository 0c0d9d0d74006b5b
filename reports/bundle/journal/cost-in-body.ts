/** What the body of a response says that it cost, in credits. */
import { ownMember, parseJson } from '../json.ts'
import { eventLines } from './event-lines.ts'

const member = 'credits_used'

/** Of the body alone, or of the last event of a stream; null where neither states any. `isComplete`: it did not break off. */
export function costInBody(body: Buffer, isComplete: boolean): number | null {
  if (!mayNameIt(body)) return null
  const stated =
    (isComplete ? ownMember(parsed(body), member) : undefined) ??
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
