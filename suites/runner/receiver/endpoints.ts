/** The endpoints of a scenario: places at our receiver, and a port that is closed until it is opened. */
import { randomInt } from 'node:crypto'
import { identifiersIn } from '../../../spec/identifiers.ts'
import type { Arrival, InboundAnswer, Inbox, InboundPlace } from '../../inbound/place.ts'
import type { Certificate, Target } from '../../config/target.ts'
import { type ArrivalRecorder, hasArrived } from './arrivals.ts'
import type { ScenarioDeps } from '../scenario-context.ts'
import { environmentFails, notExercised } from '../../scenario/ending.ts'
import { loopback, type InboundReceiver } from './inbound-receiver.ts'
import type { ClosedEndpoint, Endpoint, WebhookDriver } from '../../scenario/webhook-driver.ts'
import { request } from 'undici'
import { ownMember, parseJson } from '../../../bundle/json.ts'
import { dispatcherFor } from '../../wire/connections.ts'
import type { CreatedWebhook } from '../../../bundle/created.ts'
import { webhooksOf } from '../requests/manage-request.ts'

interface EndpointDeps extends ScenarioDeps {
  arrivals: ArrivalRecorder
}

export interface Endpoints extends Pick<WebhookDriver, 'endpoint' | 'closedEndpoint' | 'movingNames'> {
  readonly some: boolean
  close(): Promise<void>
}

type Closing = (() => void | Promise<void>)[]

export function createEndpoints(deps: EndpointDeps): Endpoints {
  const closing: Closing = []
  let some = false
  const nextPath = (): string => {
    some = true
    const { scenario, count } = deps.requestDefaults
    return `/${encodeURIComponent(deps.runId)}/${encodeURI(scenario)}/${count()}`
  }
  return {
    get some() {
      return some
    },
    movingNames: deps.inbound?.names ?? null,
    endpoint(name, ...script) {
      const path = nextPath()
      const { place, url, at } = reached(deps).open(path, deps.arrivals.record(name, path))
      closing.push(() => place.close())
      if (script.length > 0) place.script(...script)
      return endpointOf(() => place, url, at, deps)
    },
    closedEndpoint: (name, address, certificate) =>
      closedEndpoint({ name, path: nextPath(), address, certificate }, closing, deps),
    async close() {
      for (const end of closing.splice(0)) await end()
    },
  }
}

function reached({ inbound }: EndpointDeps): InboundReceiver {
  if (inbound) return inbound
  throw new Error('the scenario opens an endpoint; declare needs.receiver')
}

/** `placeNow`: null while nothing listens. */
function endpointOf(
  placeNow: () => InboundPlace | null,
  url: string,
  at: (host: string) => string | null,
  deps: EndpointDeps,
): Endpoint {
  const idHeader = identifiersIn(deps.target).deliveryIdHeader.toLowerCase()
  const idOf = ({ headers, number }: Arrival): string | number =>
    headers.find(([name]) => name.toLowerCase() === idHeader)?.[1] ?? number
  const later = new Map<string | number, InboundAnswer>()
  const endpoint: Endpoint = {
    url,
    at: (host) => at(host) ?? notHere(),
    get count() {
      return placeNow()?.arrivals.length ?? 0
    },
    get deliveries() {
      return new Set(placeNow()?.arrivals.map(idOf)).size
    },
    arrived(wanted, withinMs = deps.target.receiver.waitSeconds * 1000) {
      return hasArrived(() => placeNow(), wanted, withinMs * (deps.target.timing.scale ?? 1), deps)
    },
    async delivered(wanted, withinMs) {
      while (endpoint.deliveries < wanted)
        if (!(await endpoint.arrived(endpoint.count + 1, withinMs))) return false
      return true
    },
    script: (...answers) => placeNow()?.script(...answers),
    firstly(answer, again = { status: 200 }) {
      const { arrivals = [] } = placeNow() ?? {}
      placeNow()?.script((one) => {
        if (arrivals.find((other) => idOf(other) === idOf(one)) !== one)
          return later.get(idOf(one)) ?? { status: 200 }
        later.set(idOf(one), again)
        return answer
      })
    },
    release: (answer) => placeNow()?.release(answer),
  }
  return endpoint
}

interface Closed {
  name: string
  path: string
  address: string | undefined
  certificate: Certificate | null | undefined
}

async function closedEndpoint(
  { name, path, address, certificate }: Closed,
  closing: Closing,
  deps: EndpointDeps,
): Promise<ClosedEndpoint | null> {
  const inbound = reached(deps)
  const listen = async (port: number): Promise<Inbox | null> => inbound.another(port, address, certificate)
  // Ports for an endpoint that is closed at first, drawn as a system draws one for port 0. What asks for any free
  // port is given one above 32767, on Linux, and above 49151 elsewhere: one below stays free until the endpoint opens.
  // The last is any, should all be taken.
  const first = await firstFree(
    [...Array.from({ length: 4 }, () => randomInt(20_000, 32_768)), 0],
    listen,
  ).catch(environmentFails('prerequisite-failed'))
  if (!first) return null
  const { port } = first
  await first.close()
  let script: readonly InboundAnswer[] = []
  let place: InboundPlace | null = null
  let listening: Inbox | null = null
  const at = (host: string): string => `${loopback(host, port)}${path}`
  const endpoint = endpointOf(() => place, at('localhost'), at, deps)
  return {
    url: endpoint.url,
    at,
    secureAt: (host) => at(host).replace(/^http:/, 'https:'),
    get handshakes() {
      return listening?.handshakes ?? 0
    },
    get count() {
      return endpoint.count
    },
    get deliveries() {
      return endpoint.deliveries
    },
    arrived: (wanted, withinMs) => endpoint.arrived(wanted, withinMs),
    delivered: (wanted, withinMs) => endpoint.delivered(wanted, withinMs),
    release: (answer) => endpoint.release(answer),
    firstly: (answer, again) => endpoint.firstly(answer, again),
    script(...answers) {
      script = answers
      place?.script(...answers)
    },
    async open() {
      const inbox = await listen(port).catch(environmentFails('prerequisite-failed'))
      if (!inbox) return
      closing.push(() => inbox.close())
      listening = inbox
      place = inbox.open(path, deps.arrivals.record(name, path))
      if (script.length > 0) place.script(...script)
    },
  }
}

/** Throws what the last of them throws. */
async function firstFree<Listening>(
  [port = 0, ...others]: readonly number[],
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> {
  return listen(port).catch((error: unknown) => {
    if (others.length === 0) throw error
    return firstFree(others, listen)
  })
}

function notHere(): never {
  throw notExercised(
    'receiver-unreachable',
    'only a receiver on this machine can be spelled in another way; this one is public',
  )
}

/** Removes a webhook that a killed run left, or one that was broken off: past the wire of the run, which sends nothing more. */
const timeoutMs = 30_000

/** Throws, in words, when it may still be there. */
export async function removeWebhook(made: CreatedWebhook, target: Target): Promise<void> {
  const { session, headers, baseUrl } = target
  const place = webhooksOf(made.agent)
  if (!session)
    throw new Error(
      `removing webhooks of ${place} takes a signed-in user, and the target file declares no session`,
    )
  const dispatcher = dispatcherFor(target)
  const ask = async (method: 'GET' | 'DELETE', path: string): Promise<string> => {
    const answer = await request(`${baseUrl}${path}`, {
      dispatcher,
      method,
      headers: Object.fromEntries([...headers, ...session.headers]),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const text = await answer.body.text()
    if (!isGone(answer.statusCode)) throw new Error(`${method} ${path} was answered ${answer.statusCode}`)
    return text
  }
  try {
    const ids = made.webhook === undefined ? idsWith(made.endpoint, await ask('GET', place)) : [made.webhook]
    for (const id of ids) await ask('DELETE', `${place}/${encodeURIComponent(id)}`)
  } finally {
    await dispatcher.close()
  }
}

function idsWith(endpoint: string, list: string): readonly string[] {
  const read = parseJson(list)
  const webhooks = read.ok ? ownMember(read.value, 'webhooks') : []
  return (Array.isArray(webhooks) ? webhooks : [])
    .filter((one) => ownMember(one, 'endpoint_url') === endpoint)
    .flatMap((one) => ownMember(one, 'id') ?? [])
    .map(String)
}

/** What removes it says so, or knows nothing of it. */
export function isGone(status = 0): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410
}
