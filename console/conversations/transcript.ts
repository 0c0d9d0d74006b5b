/** Conversations as the journal has them: what was written, what was said, in the order of the requests. */
import {
  bodyTextOf,
  isMembers,
  membersOf,
  replyOf,
  summaryOf,
  textIn,
  type Members,
  type Outcome,
} from '../requests/summary.ts'
import { reasonOf } from '../state/api.ts'
import type { Exchange } from '../state/exchanges.ts'

export interface ChatButton {
  readonly label: string
  readonly interaction: Readonly<Record<string, unknown>>
}

export interface ChatTurn {
  readonly exchange: Exchange
  readonly outcome: Outcome | null
  readonly message: string
  readonly pressed: boolean
  /** So far, of a stream that is under way. */
  readonly reply: string
  readonly buttons: readonly ChatButton[]
  /** Why it did not end well: an error of the stream, or code and text of a refusal; empty otherwise. */
  readonly problem: string
}

export interface ChatConversation {
  readonly id: string
  readonly agentId: string
  readonly turns: readonly ChatTurn[]
}

/** Buttons are named as an interpretation of the contract names them: whatever can be sent back is one. */
function buttonsIn(value: unknown): readonly ChatButton[] {
  if (Array.isArray(value)) return value.flatMap(buttonsIn)
  if (!isMembers(value)) return []
  const own = [value['interaction'], value].find(
    (one): one is Members => isMembers(one) && one['type'] === 'workflow_button',
  )
  if (!own) return Object.values(value).flatMap(buttonsIn)
  const { type, runId, nodeId, payload } = own
  const label = [value['label'], value['title'], value['text']].find((one) => typeof one === 'string')
  return [{ label: String(label ?? payload), interaction: { type, runId, nodeId, payload } }]
}

function refusalOf(exchange: Exchange): string {
  const { code } = summaryOf(exchange)
  if ((exchange.status ?? 0) < 400) return ''
  const text = reasonOf(bodyTextOf(exchange), exchange.status ?? 0)
  return text.includes(code) ? text : `${code}: ${text}`
}

function turnOf(exchange: Exchange): ChatTurn {
  const { events, outcome } = summaryOf(exchange)
  const request = membersOf(exchange.request.body)
  const body = replyOf(exchange)
  const error = events.findLast(({ type }) => type === 'error')
  const tokens = events.filter(({ type }) => type === 'token')
  const partial = tokens.map(({ data }) => textIn(membersOf(data), 'token')).join('')
  return {
    exchange,
    outcome,
    problem: error ? textIn(membersOf(error.data), 'error') || error.data : refusalOf(exchange),
    message: textIn(request, 'message'),
    pressed: isMembers(request['interaction']),
    reply: typeof body['response'] === 'string' ? body['response'] : partial,
    buttons: buttonsIn(body['presentation']),
  }
}

/** Of a turn that has none yet, or was refused before it had one: what it was sent with. */
const conversationOf = (one: Exchange): string =>
  one.conversationId ??
  (textIn(membersOf(one.request.body), 'conversation_id') || `key:${one.idempotencyKey ?? one.id}`)

export function conversationsOf(all: readonly Exchange[]): readonly ChatConversation[] {
  const turns = all.filter(({ operation }) => operation === 'chat')
  return [...Map.groupBy(turns, conversationOf)]
    .map(([id, group]) => ({ id, agentId: group[0]?.agentId ?? '', turns: group.map(turnOf) }))
    .toSorted((one, other) => lastId(other) - lastId(one))
}

/** A first message that was refused began none. */
export const exists = ({ turns }: ChatConversation): boolean =>
  turns.some(
    ({ exchange: { conversationId, status } }) => conversationId !== undefined || (status ?? 0) < 400,
  )

const lastId = ({ turns }: ChatConversation): number => turns.at(-1)?.exchange.id ?? 0

/** By its id, or by the key of one of its turns, which is known before the conversation is. */
export const conversationNamed = (
  all: readonly ChatConversation[],
  name: string,
): ChatConversation | undefined =>
  all.find(({ id }) => id === name) ??
  all.find(({ turns }) => turns.some(({ exchange }) => exchange.idempotencyKey === name))

/** What the service calls it; empty while it has no name. */
export const sentId = ({ id }: ChatConversation): string => (id.startsWith('key:') ? '' : id)
