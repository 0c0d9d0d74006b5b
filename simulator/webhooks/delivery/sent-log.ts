/** What went out in the newest attempts, byte for byte: in memory only, so that it is gone after a restart. */
import type { DeliveryRequest, WebhookDelivery } from './delivery.ts'
import { createQueue } from './endpoint-queue.ts'
import { fixedLimits } from '../../limits.ts'

export interface SentAttempt {
  readonly delivery: WebhookDelivery
  /** From 1. */
  readonly number: number
  /** Start, in milliseconds since 1970. */
  readonly at: number
  readonly request: DeliveryRequest
}

export interface SentLog {
  add(attempt: SentAttempt): void
  /** The attempts of every delivery with this id, the oldest first. */
  of(deliveryId: string): readonly SentAttempt[]
  clear(): void
}

/** What an attempt takes in memory beside its bytes, about. */
const attemptBytes = 1_000

const sizeOf = ({ request: { headers, body } }: SentAttempt): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, attemptBytes + body.length)

/** The oldest attempts go first; the newest stays, however large it is. */
export function createSentLog(): SentLog {
  const sent = createQueue<SentAttempt>()
  let bytes = 0
  return {
    add: (attempt) => {
      sent.add(attempt)
      bytes += sizeOf(attempt)
      while (bytes > fixedLimits.sentBytes && sent.size > 1) {
        const oldest = sent.take()
        if (oldest) bytes -= sizeOf(oldest)
      }
    },
    of: (deliveryId) => [...sent].filter(({ delivery }) => delivery.id === deliveryId),
    clear: () => {
      sent.clear()
      bytes = 0
    },
  }
}
