/** Endpoints of ours at blocked addresses of this machine. */
import { notExercised } from '../../scenario/ending.ts'
import type { Driver } from '../../scenario/scenario.ts'
import type { ClosedEndpoint, Endpoint } from '../../scenario/webhook-driver.ts'
import { readLogOf } from '../webhook-requests.ts'
import type { BlockedAddress } from './hosts.ts'

/** Ends the scenario if the target is not on this machine, where such an address does not lead to us. */
export function mustBeHere({ url }: Pick<Endpoint, 'url'>): void {
  const { hostname } = new URL(url)
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(hostname))
    throw notExercised(
      'receiver-unreachable',
      'only to a receiver on the machine of the target is there a blocked way; this one is public',
    )
}

export interface PrivateEndpoint {
  place: ClosedEndpoint
  url: string
}

export async function openPrivateEndpoint(
  { host, isSecure }: Pick<BlockedAddress, 'host' | 'isSecure'>,
  closed: Promise<ClosedEndpoint | null>,
): Promise<PrivateEndpoint> {
  const place = await closed
  if (!place)
    throw notExercised('receiver-unreachable', 'only a receiver on this machine has other ways to it')
  await place.open()
  return { place, url: isSecure ? place.secureAt(host) : place.at(host) }
}

/** The URLs at which a handshake arrived, for the judges. */
export function handshakeUrls(ends: readonly PrivateEndpoint[]): string {
  return ends
    .filter(({ place }) => place.handshakes > 0)
    .map(({ url }) => url)
    .join(' ')
}

export interface Offered {
  ids: readonly string[]
  ends: readonly PrivateEndpoint[]
}

/** On the target's clock: three attempts before the log shows the delivery as failed. */
const failingMs = 45_000

export async function readLogs(
  t: Pick<Driver<'logs[]'>, 'manageMore' | 'note' | 'settle'>,
  { ids, ends }: Offered,
): Promise<void> {
  if (ids.length > 0) await t.settle(failingMs)
  t.note('shaken', handshakeUrls(ends))
  for (const id of ids) await t.manageMore('logs', readLogOf({ id }))
}
