/** Names whose address changes during a run: public at first, later an address that nothing may be delivered to. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { MovingName, MovingNames } from '../../inbound/moving-name.ts'
import { createNameServer } from '../../inbound/name-server.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import type { Receiver } from '../../config/target.ts'
import { hostAndPort } from './host-and-port.ts'

export interface OpenedNames extends MovingNames {
  close(): Promise<void>
}

/** Null where none are declared. Throws a ConfigurationError where they cannot be served. */
export async function openNames({ resolver, publicUrl }: Receiver): Promise<OpenedNames | null> {
  if (resolver === null) return null
  const { zone, listen, later, rebinding, certificate } = resolver
  const first = resolver.first ?? (await addressOf(publicUrl ?? ''))
  const server = await createNameServer({ zone, ...hostAndPort(listen) })
  return {
    later,
    rebinding,
    certificate,
    name(label): MovingName {
      const name = server.names.name(label)
      name.lead(first)
      return {
        host: name.host,
        move: (to) => name.lead(to),
        alternate: (to) => name.alternate([first, to]),
        answered: (address) => name.answered(address) > 0,
      }
    },
    close: () => server.close(),
  }
}

/** Of our receiver, which has a public address. */
async function addressOf(publicUrl: string): Promise<string> {
  const host = (URL.parse(publicUrl)?.hostname ?? '').replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return host
  try {
    return (await lookup(host)).address
  } catch {
    throw new ConfigurationError(
      `receiver.resolver.first is not given, and ${host} has no address here; add a public address of your own.`,
    )
  }
}
