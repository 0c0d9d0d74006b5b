/** The receiver of a run: opened once, proven before a scenario relies on it, and a place for each endpoint. */
import { rootCertificates } from 'node:tls'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { request } from 'undici'
import type { Arrival, Inbox, InboundPlace } from '../../inbound/place.ts'
import { createInbox } from '../../inbound/server.ts'
import { type Certificate, type Receiver, ConfigurationError } from '../../config/target.ts'
import { watchStalls, type Clock, type StallWatch } from '../../wire/clock.ts'
import { type MovingNames, type MovingName, createNameServer } from '../../inbound/name-server.ts'
import { dispatcherFor } from '../../wire/connections.ts'
import { direct, type TargetAccess } from '../../wire/route.ts'
import { errorMessage } from '../../../bundle/text.ts'

export interface InboundReceiver {
  /** Sends itself a request by the address that targets are given. Why it did not arrive, or null; asked once. */
  trouble(): Promise<string | null>
  /** A place below `path`, and where a target delivers to for it. */
  open(path: string, onArrival: (arrival: Arrival) => void): OpenPlace
  /**
   * A further inbox on this machine, at an address and a port of its own; null where the target is elsewhere, unless
   * the address is declared as one that it could reach.
   */
  another(port?: number, address?: string, certificate?: Certificate | null): Promise<Inbox> | null
  /** Names whose address changes, where the target asks us for some. */
  readonly names: MovingNames | null
  readonly stalls: StallWatch
  close(): Promise<void>
}

export interface OpenPlace {
  place: InboundPlace
  url: string
  /** The same under another name of this machine; null where the target is elsewhere. */
  at: (host: string) => string | null
}

export interface InboundReceiverOptions {
  clock: Clock
  runId: string
  /** How the target is reached; its certificates are trusted beside the usual ones when we look whether we can be reached. */
  access?: TargetAccess
}

/** For our own request: a tunnel may have to wake up first. */
const timeoutMs = 10_000

/** Throws a ConfigurationError where the address cannot be listened on. */
export async function openInboundReceiver(
  receiver: Receiver,
  { clock, runId, access = direct }: InboundReceiverOptions,
): Promise<InboundReceiver> {
  const { host, port } = hostAndPort(receiver.listen)
  const { publicUrl, resolver } = receiver
  const names = await openNames(receiver)
  const inbox = await createInbox({ clock, host, port }).catch(async (error: unknown) => {
    await names?.close()
    throw error
  })
  const stalls = watchStalls(clock)
  const front = publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  /** The prefix of inbound paths: a proxy may or may not remove its own part. */
  let prefix = front
  let proof: Promise<string | null> | undefined
  const base = publicUrl ?? loopback('localhost', inbox.port)

  async function prove(): Promise<string | null> {
    const path = `/${runId}/proof`
    const places = [...new Set([front, ''])].map((before) => ({ before, place: inbox.open(before + path) }))
    const why = await sendProof(`${base}${path}`, publicUrl === null ? direct : access)
    const reached = places.find(({ place }) => place.arrivals.length > 0)
    for (const { place } of places) place.close()
    if (reached) prefix = reached.before
    return reached ? null : `a request of our own to ${base} did not come in at ${host}:${inbox.port}: ${why}`
  }

  return {
    trouble: () => (proof ??= prove()),
    open: (path, onArrival) => ({
      place: inbox.open(prefix + path, onArrival),
      url: `${base}${path}`,
      at: (name) => (publicUrl === null ? `${loopback(name, inbox.port)}${path}` : null),
    }),
    another: (wanted = 0, address = host, certificate = null) =>
      publicUrl === null || address === resolver?.later
        ? createInbox({ clock, host: address, port: wanted, certificate })
        : null,
    names,
    stalls,
    async close() {
      stalls.stop()
      await Promise.all([inbox.close(), names?.close()])
    },
  }
}

/** Plain HTTP, which a service in development delivers to on its own machine. */
export function loopback(host: string, port: number): string {
  return `http://${host}:${port}`
}

async function sendProof(url: string, { tls: { ca }, proxy }: TargetAccess): Promise<string> {
  const trusted = ca === null ? null : [...rootCertificates, ca].join('\n')
  const dispatcher = dispatcherFor({ tls: { ca: trusted }, proxy })
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"touchstone":"proof"}',
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    await body.dump()
    return `it was answered ${statusCode} by something else`
  } catch (thrown) {
    return errorMessage(thrown)
  } finally {
    await dispatcher.close()
  }
}

interface OpenedNames extends MovingNames {
  close(): Promise<void>
}

/** Null where none are declared. Throws a ConfigurationError where they cannot be served. */
async function openNames({ resolver, publicUrl }: Receiver): Promise<OpenedNames | null> {
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

function hostAndPort(listen: string): { host: string; port: number } {
  const colon = listen.lastIndexOf(':')
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) }
}
