/** Conversations as the journal has them: what was written, what was said, in the order of the requests. */
import { bodyTextOf, membersOf, summaryOf, type Outcome } from '../requests/summary.ts'
import type { Exchange } from '../state/exchanges.ts'

export interface Button {
  readonly label: string
  /** To be sent back as it came. */
  readonly interaction: Readonly<Record<string, unknown>>
}

export interface ChatTurn {
  readonly exchange: Exchange
  readonly outcome: Outcome | null
  readonly message: string
  /** The message was sent with a button. */
  readonly pressed: boolean
  /** So far, of a stream that is under way. */
  readonly reply: string
  readonly buttons: readonly Button[]
  readonly code: string
}

export interface ChatConversation {
  readonly id: string
  readonly agentId: string
  readonly turns: readonly ChatTurn[]
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Buttons are named as an interpretation of the contract names them: whatever can be sent back is one. */
function buttonsIn(value: unknown): readonly Button[] {
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

function turnOf(exchange: Exchange): ChatTurn {
  const { events, outcome, code } = summaryOf(exchange)
  const request = membersOf(exchange.request.body)
  const done = events.findLast(({ type }) => type === 'done')
  const body = membersOf(done?.data ?? (events.length > 0 ? '' : bodyTextOf(exchange)))
  const tokens = events.filter(({ type }) => type === 'token')
  const partial = tokens.map(({ data }) => String(membersOf(data)['token'] ?? '')).join('')
  return {
    exchange,
    outcome,
    code,
    message: String(request['message'] ?? ''),
    pressed: isMembers(request['interaction']),
    reply: typeof body['response'] === 'string' ? body['response'] : partial,
    buttons: buttonsIn(body['presentation']),
  }
}

const agentOf = ({ path }: Exchange): string => /\/chat\/([^/?]+)/.exec(path)?.[1] ?? ''

/** The one that was last written in comes first. Turns that were refused before they had a conversation are left out. */
export function conversationsOf(all: readonly Exchange[]): readonly ChatConversation[] {
  const turns = all.filter((one) => summaryOf(one).outcome !== null && summaryOf(one).conversationId !== '')
  const groups = Map.groupBy(turns, (one) => summaryOf(one).conversationId)
  return [...groups]
    .map(([id, group]) => ({ id, agentId: agentOf(group[0] as Exchange), turns: group.map(turnOf) }))
    .toSorted((one, other) => lastId(other) - lastId(one))
}

const lastId = ({ turns }: ChatConversation): number => turns.at(-1)?.exchange.id ?? 0
