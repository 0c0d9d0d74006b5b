/** From deliveries to the entries of a log. */
import type { LogFacts } from '../../rules/webhooks.ts'
import type { JsonObject } from '../../json.ts'
import { hasEnded, type WebhookDelivery } from '../../tenant/webhooks/delivery.ts'

/** One entry, once it is known how the delivery ended. */
export function factsOfDelivery({ occurrence, attempts, state }: WebhookDelivery): readonly LogFacts[] {
  if (!hasEnded(state)) return []
  const last = attempts.at(-1)
  return [
    {
      event: occurrence.event,
      at: occurrence.at,
      status: last?.status ?? null,
      tookMs: last?.tookMs ?? null,
      success: state === 'delivered',
      retries: Math.max(0, attempts.length - 1),
    },
  ]
}

/** One entry for each attempt; a delivery that ended without any still has one. */
export function factsOfAttempts(delivery: WebhookDelivery): readonly LogFacts[] {
  const { occurrence, attempts } = delivery
  if (attempts.length === 0) return factsOfDelivery(delivery)
  return attempts.map(({ number, at, status, tookMs, outcome }) => ({
    event: occurrence.event,
    at,
    status,
    tookMs,
    success: outcome === 'delivered',
    retries: number - 1,
  }))
}

/** The names of the members, in the order of `LogFacts`. */
export type LogNames = Readonly<Record<keyof LogFacts, string>>

export const snakeNames: LogNames = {
  event: 'event_type',
  at: 'timestamp',
  status: 'status_code',
  tookMs: 'response_time_ms',
  success: 'success',
  retries: 'retry_count',
}

export const camelNames: LogNames = {
  event: 'eventType',
  at: 'timestamp',
  status: 'statusCode',
  tookMs: 'responseTimeMs',
  success: 'success',
  retries: 'retryCount',
}

export const logEntry =
  (names: LogNames) =>
  ({ event, at, status, tookMs, success, retries }: LogFacts): JsonObject => ({
    [names.event]: event,
    [names.at]: new Date(at).toISOString(),
    [names.status]: status,
    [names.tookMs]: tookMs,
    [names.success]: success,
    [names.retries]: retries,
  })
