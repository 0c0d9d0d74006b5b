/** A place of ours at the end of a way that nothing may be delivered by. */
import type { Player } from '../engine/player.ts'
import type { ClosedEndpoint, Endpoint } from '../engine/webhook-player.ts'
import type { Way } from './hosts.ts'

/** Ends the story where the target is not on this machine: there is no such way to us then. */
export function mustBeHere(t: Pick<Player, 'stop'>, { url }: Pick<Endpoint, 'url'>): void {
  const { hostname } = new URL(url)
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(hostname))
    t.stop('the target is on another machine than the receiver: there is no blocked way to it')
}

/** Opens a place that the way leads to, and gives its URL by that way. */
export async function openBy(
  t: Pick<Player, 'stop'>,
  { host }: Way,
  closed: Promise<ClosedEndpoint | null>,
): Promise<string> {
  const place = await closed
  if (!place) return t.stop('the receiver is not on this machine')
  await place.open()
  return place.at(host)
}
