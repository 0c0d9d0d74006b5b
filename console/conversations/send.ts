/** Writes to an agent as a customer's client would. */
import { signal } from '@preact/signals'
import { exchanges } from '../state/exchanges.ts'
import { messageOf, notify } from '../state/notices.ts'
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
async function sendMessage(outgoing: Outgoing, key: string): Promise<void> {
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

/** Longer than a request takes to appear in the page. */
const appearsMs = 500

/** Resolves with false where the message did not arrive. A connection that breaks later is shown with its turn. */
export async function sendShown(outgoing: Outgoing, key = newKey()): Promise<boolean> {
  try {
    await sendMessage(outgoing, key)
    return true
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, appearsMs))
    const isSent = exchanges.peek().some(({ idempotencyKey }) => idempotencyKey === key)
    if (!isSent) notify(`Not sent. ${messageOf(error)}`, true)
    return isSent
  }
}
