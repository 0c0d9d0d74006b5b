/** A place of ours at the end of a way that nothing may be delivered by. */
import { notExercised } from '../engine/ending.ts'
import type { ClosedEndpoint, Endpoint } from '../engine/webhook-player.ts'
import type { Way } from './hosts.ts'

/** Ends the story where the target is not on this machine: there is no such way to us then. */
export function mustBeHere({ url }: Pick<Endpoint, 'url'>): void {
  const { hostname } = new URL(url)
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(hostname))
    throw notExercised(
      'receiver-unreachable',
      'only to a receiver on the machine of the target is there a blocked way; this one is public',
    )
}

/** Opens a place that the way leads to, and gives its URL by that way. */
export async function openBy({ host }: Way, closed: Promise<ClosedEndpoint | null>): Promise<string> {
  const place = await closed
  if (!place)
    throw notExercised('receiver-unreachable', 'only a receiver on this machine has other ways to it')
  await place.open()
  return place.at(host)
}
