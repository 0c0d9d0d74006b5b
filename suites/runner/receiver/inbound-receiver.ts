/** The receiver of a run: opened once, proven before a scenario relies on it, and a place for each endpoint. */
import { rootCertificates } from 'node:tls'
import { request } from 'undici'
import type { Arrival, Inbox, InboundPlace } from '../../inbound/inbox.ts'
import { createInbox } from '../../inbound/server.ts'
import type { Certificate, Receiver } from '../../config/target.ts'
import type { Clock } from '../../wire/clock.ts'
import { hostAndPort } from './host-and-port.ts'
import type { MovingNames } from '../../inbound/moving-name.ts'
import { openNames } from './moving-names.ts'
import { direct, dispatcherFor, type TargetAccess } from '../../wire/route.ts'
import { errorMessage } from '../../../reports/bundle/text.ts'

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
    async close() {
      await Promise.all([inbox.close(), names?.close()])
    },
  }
}

/** Plain HTTP, which a service in development delivers to on its own machine. */
export function loopback(host: string, port: number): string {
  return `http://${host}:${port}`
}

/** Sends a request to ourselves, and returns why it did not arrive. */
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
