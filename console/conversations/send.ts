/** Writes to an agent as a customer's client would. */
import { signal } from '@preact/signals'
import { callService } from '../state/service.ts'
import { credentials } from '../state/tenant.ts'

export interface Outgoing {
  readonly agentId: string
  /** Empty begins a conversation. */
  readonly conversationId: string
  readonly message: string
  readonly interaction?: Readonly<Record<string, unknown>>
}

export const streamed = signal(true)

export const newKey = (): string => `console-${crypto.randomUUID()}`

/** Resolves when the response has ended, whatever it says: the journal has it. */
export async function sendMessage(outgoing: Outgoing, key = newKey()): Promise<void> {
  const { agentId, conversationId, message, interaction } = outgoing
  const response = await callService({
    method: 'POST',
    path: `/api/v1/chat/${encodeURIComponent(agentId)}`,
    headers: [
      ['Authorization', `Bearer ${credentials.peek()?.keys['main'] ?? ''}`],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', key],
    ],
    body: JSON.stringify({
      message,
      ...(conversationId !== '' && { conversation_id: conversationId }),
      ...(interaction && { interaction }),
      ...(streamed.peek() && { stream: true }),
    }),
  })
  await response.text()
}

/** A connection that breaks is shown with its turn. */
export const sendShown = (outgoing: Outgoing, key?: string): Promise<void> =>
  sendMessage(outgoing, key).catch(() => undefined)
