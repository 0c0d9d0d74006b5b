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
  // In a conversation that is shown, the refusal is shown as well.
  if (!response.ok && conversationId === '') throw new Error(refusalText(response.status, text))
  return String(membersOf(last)['conversation_id'] ?? '')
}

function refusalText(status: number, text: string): string {
  const { message, error } = membersOf(text)
  const words = [message, error].find((one) => typeof one === 'string')
  return `Refused with ${status}: ${words ?? text.slice(0, 200)}`
}
