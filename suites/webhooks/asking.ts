/** What stories about deliveries do again and again. */
import type { WebhookEvent } from '../../spec/index.ts'
import type { Player } from '../engine/player.ts'
import type { Endpoint, Hook, ManageRequest } from '../engine/webhook-player.ts'

/** Who selects this hears nothing of what other stories do: no chat brings it about by itself. */
export const quiet: WebhookEvent = 'record.created'

/** An event that is not the one given. */
export function otherThan(event: WebhookEvent): WebhookEvent {
  return event === quiet ? 'booking.rescheduled' : quiet
}

/** Sends a sample to this webhook. */
export function sampleTo({ id }: Hook): ManageRequest {
  return { method: 'POST', path: `/${id}/test` }
}

/** How long something must not come, on the target's clock: longer than any backoff of a few seconds, several times. */
export const absenceMs = 60_000

/**
 * Makes the event of the story happen, and waits for it at this place: notes within how many seconds it came, on
 * the target's clock, which nobody but the story can tell.
 */
export async function emitAndTime(t: Pick<Player, 'emit' | 'note'>, endpoint: Endpoint): Promise<void> {
  await t.emit()
  if (await endpoint.arrived(1, 5_000)) t.note('within', 5)
  else t.note('within', (await endpoint.arrived(1, 10_000)) ? 15 : 0)
  await endpoint.arrived(1)
}
