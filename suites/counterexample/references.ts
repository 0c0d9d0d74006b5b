/**
 * The closed list of places in which a request carries something that was made for one run: each is bound to what
 * made it. A value that merely looks like another one anywhere else stays what it is.
 */
import { isObject } from '../../spec/json.ts'
import { canonical, fields } from '../assertions/reply.ts'
import { buttonsOf } from '../chat/assertions/presentation.ts'
import { approvalIdOf, taskIdOf } from '../operations/assertions/pointers/pointer-receipt.ts'
import type { Dialect } from '../config/dialect.ts'
import { type Exchange, type Json, json } from '../wire/exchange.ts'
import type { From, Reference, StepText } from './script.ts'

export interface IdentifiedExchange {
  id: string
  exchange: Exchange
}

/** Digits that the suite made for one run: of a whole key, or the tail that makes an odd one fresh. */
const minted = /(?<=touchstone-)[0-9a-f]{32}|[0-9a-f]{24}$/g
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(value: string): boolean {
  return uuid.test(value)
}

export type Labels = ReturnType<typeof createLabels>

export function createLabels() {
  const label = (kind: string) => {
    const made = new Map<string, string>()
    return (value: string): string => {
      const found = made.get(value) ?? `${kind}-${made.size + 1}`
      made.set(value, found)
      return found
    }
  }
  const [uuids, keys] = [label('uuid'), label('unknown')]
  const digitsSeen = new Map<string, Reference>()
  return {
    fresh(digits: string): Reference {
      const found = digitsSeen.get(digits) ?? { fresh: `key-${digitsSeen.size + 1}`, digits: digits.length }
      digitsSeen.set(digits, found)
      return found
    },
    known: (): readonly string[] => [...digitsSeen.keys()],
    uuid: (value: string): Reference => ({ uuid: uuids(value) }),
    unknownKey: (value: string): Reference => ({ unknownKey: keys(value) }),
  }
}

/** An idempotency key with its fresh digits; null where it has none, so that a second run would find it used. */
export function keyText(value: string, labels: Labels): StepText | null {
  const text = pieces(value, minted, labels)
  return typeof text === 'string' ? null : text
}

/** A text in which the digits of keys that were met before stand as such. */
export function textWithKeys(value: string, labels: Labels): StepText {
  const known = labels.known()
  return known.length === 0 ? value : pieces(value, new RegExp(known.join('|'), 'g'), labels)
}

function pieces(value: string, pattern: RegExp, labels: Labels): StepText {
  const found: (string | Reference)[] = []
  let from = 0
  for (const { 0: digits, index } of value.matchAll(pattern)) {
    found.push(value.slice(from, index), labels.fresh(digits))
    from = index + digits.length
  }
  if (found.length === 0) return value
  return [...found, value.slice(from)].filter((piece) => piece !== '')
}

/** A conversation: the first earlier answer that named it, else a new id where it is one that nobody named. */
export function conversation(
  value: Json,
  earlier: readonly IdentifiedExchange[],
  labels: Labels,
): Reference | null {
  if (typeof value !== 'string') return null
  const maker = earlier.find(({ exchange }) => fields(exchange)?.['conversation_id'] === value)
  if (maker) return { from: maker.id, at: '/conversation_id' }
  return isUuid(value) ? labels.uuid(value) : null
}

const copied = ['runId', 'nodeId', 'payload'] as const

/** A button: every member as it stands in the presentation of the last answer that offered it. Null: nobody did. */
export function interaction(
  value: Json,
  earlier: readonly IdentifiedExchange[],
  dialect: Dialect,
): Readonly<Record<string, From>> | null {
  const wanted = canonical(value)
  const offer = earlier.findLast(({ exchange }) =>
    buttonsOf(exchange, dialect).some((button) => canonical(button) === wanted),
  )
  if (!offer || !isObject(value)) return null
  const presentation = fields(offer.exchange)?.['presentation'] as Json | undefined
  const places = copied.map((name) => {
    const is = (member: Json, key: string): boolean =>
      key === name && canonical(member) === canonical(value[name])
    return [name, pointerTo(presentation, is)] as const
  })
  if (places.some(([, at]) => at === null)) return null
  return Object.fromEntries(places.map(([name, at]) => [name, { from: offer.id, at: `/presentation${at}` }]))
}

/** The JSON pointer to the first member that is it, below a value; null where there is none. */
function pointerTo(within: Json | undefined, is: (member: Json, name: string) => boolean): string | null {
  if (typeof within !== 'object' || within === null) return null
  for (const [name, inner] of Object.entries(within)) {
    const here = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (is(inner, name)) return here
    const deeper = pointerTo(inner, is)
    if (deeper !== null) return `${here}${deeper}`
  }
  return null
}

/** Paths below which the next segment is an id that an earlier answer gave. */
const idPaths: readonly {
  before: RegExp
  idOf: (exchange: Exchange, dialect: Dialect) => string | null
}[] = [
  { before: /^\/api\/v1\/tasks\/$/, idOf: taskIdOf },
  { before: /^\/api\/v1\/approvals\/$/, idOf: approvalIdOf },
  { before: /^\/api\/agents\/[^/]+\/webhooks\/$/, idOf: createdId },
]

function createdId({ request, response, ...rest }: Exchange): string | null {
  if (request.method !== 'POST' || !request.path.endsWith('/webhooks')) return null
  const body = json({ request, response, ...rest })
  const id = body.ok && isObject(body.value) ? body.value['id'] : undefined
  return typeof id === 'string' ? id : null
}

export function idInPath(
  before: string,
  segment: string,
  earlier: readonly IdentifiedExchange[],
  dialect: Dialect,
): From | null {
  const kind = idPaths.find((path) => path.before.test(before))
  if (!kind) return null
  const id = decodeURIComponent(segment)
  for (const { id: step, exchange } of earlier) {
    if (kind.idOf(exchange, dialect) !== id) continue
    const body = json(exchange)
    const at = body.ok ? pointerTo(body.value, (member) => member === id) : null
    if (at !== null) return { from: step, at }
  }
  return null
}
