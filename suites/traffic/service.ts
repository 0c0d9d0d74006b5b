/** Which exchanges of a recording belong to the service, below which address, and with whose key. */
import { identifiersIn, type Identifiers } from '../../spec/identifiers.ts'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import { joined } from '../../bundle/chunks.ts'
import { customHeadersIn } from '../../bundle/redaction/disclosed.ts'
import { decode } from '../../bundle/text.ts'
import { headerSecrets, isSecret } from '../wire/credentials.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { ArchiveEntry } from './har.ts'

/** The scenario that all of them are of. */
export const trafficScenario = 'traffic'

/** In the name of what a suite sent, some of it wrong on purpose: whoever judges it again knows it by that. */
const mark = 'of a suite: '
export const suiteMark = ({ inbound, scenario = trafficScenario, name = '' }: ArchiveEntry): string =>
  !inbound && (scenario !== trafficScenario || name.startsWith(mark)) ? mark : ''

/** Below any prefix. */
const routes =
  /\/api(?:\/v1\/(?:chat|operations|operation-executions|tasks|approvals|billing|uploads)(?=[/?]|$)|\/agents\/[^/]+\/webhooks(?=[/?]|$))/

/** The address below which it calls the service; null for what does not. */
export function baseOf({ url }: Pick<ArchiveEntry, 'url'>): string | null {
  const found = routes.exec(url.pathname)
  return found && `${url.origin}${url.pathname.slice(0, found.index)}`
}

const named = ({ request }: Pick<Exchange, 'request'>, wanted: string): string | undefined =>
  request.headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1]

/** By the header of its id: no other request has one. */
export function hasDeliveryId(
  one: Pick<Exchange, 'request'>,
  about: { identifiers?: Identifiers | undefined },
): boolean {
  return named(one, identifiersIn(about).deliveryIdHeader) !== undefined
}

/** Names the keys of a recording in the order in which they appear, and what must not be written. */
export function createPrincipals(known: ReadonlyMap<string, string> = new Map()) {
  const names = new Map(known)
  return {
    /** Null for what has no key, or does not show it. */
    of(one: Pick<Exchange, 'request'>): string | null {
      if (one.request.principal !== null) return one.request.principal
      const bearer = /^\s*Bearer\s+(\S+)\s*$/i.exec(named(one, 'authorization') ?? '')?.[1]
      if (bearer === undefined) return null
      const name = names.get(bearer) ?? `key-${names.size + 1}`
      names.set(bearer, name)
      return name
    },
    /** Keys, cookies and other credentials that the request sends, and those that webhooks are to send. */
    secretsIn({ request, response }: Pick<Exchange, 'request' | 'response'>): readonly Secret[] {
      const sent = request.headers.filter(([name]) =>
        /^(?:authorization|proxy-authorization|cookie|x-api-key|x-auth-token)$/i.test(name),
      )
      const custom = [request.body, joined(response?.chunks ?? [])].flatMap((body) =>
        customHeadersIn(decode(body).text),
      )
      return [...sent, ...custom].flatMap((header) => {
        const bearer = /^\s*Bearer\s+(\S{8,})\s*$/i.exec(header[1])?.[1]
        const key = bearer && names.get(bearer)
        return key ? [{ name: `key:${key}`, value: bearer }] : headerSecrets(header).filter(isSecret)
      })
    },
  }
}

/** What a proxy forwarded, as it is judged: with the name of its key, and a delivery as one that a receiver took. */
export function forwarded(
  made: Exchange,
  principals: Pick<ReturnType<typeof createPrincipals>, 'of'>,
  about: { identifiers?: Identifiers | undefined },
): Exchange {
  const { sentAt, endedAt, request } = made
  const inbound = { place: request.path, targetAt: sentAt, targetEndedAt: endedAt }
  return {
    ...made,
    request: { ...request, principal: principals.of(made) },
    ...(hasDeliveryId(made, about) && { inbound }),
  }
}
