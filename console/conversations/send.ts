/** Writes to an agent as a customer's client would. */
import { membersOf } from '../requests/summary.ts'
import { callService } from '../state/service.ts'
import { credentials } from '../state/tenant.ts'

export interface Outgoing {
  readonly agentId: string
  /** Empty begins a conversation. */
  readonly conversationId: string
  readonly message: string
  readonly interaction?: Readonly<Record<string, unknown>>
  readonly stream: boolean
}

/** Resolves with the id of the conversation, when the response has ended; empty where it was refused. */
export async function sendMessage(outgoing: Outgoing): Promise<string> {
  const { agentId, conversationId, message, interaction, stream } = outgoing
  const response = await callService({
    method: 'POST',
    path: `/api/v1/chat/${encodeURIComponent(agentId)}`,
    headers: [
      ['Authorization', `Bearer ${credentials.peek()?.keys['main'] ?? ''}`],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', `console-${crypto.randomUUID()}`],
    ],
    body: JSON.stringify({
      message,
      ...(conversationId !== '' && { conversation_id: conversationId }),
      ...(interaction && { interaction }),
      ...(stream && { stream }),
    }),
  })
  const text = await response.text()
  const last = stream && response.ok ? (/data: (.*)\s*$/.exec(text.trimEnd())?.[1] ?? '') : text
  if (!response.ok) throw new Error(`Refused with ${response.status}: ${text.slice(0, 200)}`)
  return String(membersOf(last)['conversation_id'] ?? '')
}
