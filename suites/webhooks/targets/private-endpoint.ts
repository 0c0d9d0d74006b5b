/** A place of ours at the end of a way that nothing may be delivered by. */
import { notExercised } from '../../scenario/ending.ts'
import type { ClosedEndpoint, Endpoint } from '../../scenario/webhook-driver.ts'
import type { Way } from './hosts.ts'

/** Ends the scenario where the target is not on this machine: there is no such way to us then. */
export function mustBeHere({ url }: Pick<Endpoint, 'url'>): void {
  const { hostname } = new URL(url)
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(hostname))
    throw notExercised(
      'receiver-unreachable',
      'only to a receiver on the machine of the target is there a blocked way; this one is public',
    )
}

/** A place at the end of a way, and its URL by that way. */
export interface AtEnd {
  place: ClosedEndpoint
  url: string
}

/** Opens a place that the way leads to. */
export async function openBy(
  { host, isSecure }: Pick<Way, 'host' | 'isSecure'>,
  closed: Promise<ClosedEndpoint | null>,
): Promise<AtEnd> {
  const place = await closed
  if (!place)
    throw notExercised('receiver-unreachable', 'only a receiver on this machine has other ways to it')
  await place.open()
  return { place, url: isSecure ? place.secureAt(host) : place.at(host) }
}

/** What a handshake reached, for the judges: URLs. */
export function shaken(ends: readonly AtEnd[]): string {
  return ends
    .filter(({ place }) => place.handshakes > 0)
    .map(({ url }) => url)
    .join(' ')
}
