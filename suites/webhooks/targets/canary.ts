/**
 * Addresses of the machine that our receiver and the target share, to which nothing may be delivered. A service may
 * refuse such an endpoint or block at delivery; it must not deliver.
 */
import { eventState, type WebhookEvent } from '../../../spec/index.ts'
import { forcing } from '../../config/provided.ts'
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { someArrived, attemptsIn } from '../assertions/deliveries.ts'
import { blocked, lastLogOf, observedBlocking, type Tried } from '../assertions/canary.ts'
import { all, every, given, observed } from '../../scenario/expect.ts'
import { wasAccepted, identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { blockedAddressesHere, mostBlockedAddresses } from './hosts.ts'
import { mustBeHere, openPrivateEndpoint, handshakeUrls, type PrivateEndpoint } from './private-endpoint.ts'
import { everyEvent, webhookBody } from '../webhook-requests.ts'

type List = 'private' | 'internal' | 'spelled' | 'excused'
type Names = 'control' | 'back' | `${List | 'tests' | 'logs' | 'canary' | 'arrived'}[]`
type CanaryExchanges = Readonly<Record<List | 'logs' | 'canary' | 'arrived', readonly Exchange[]>>

const exchanges: readonly Names[] = [
  'control',
  'private[]',
  'internal[]',
  'spelled[]',
  'excused[]',
  'tests[]',
  'back',
  'logs[]',
  'canary[]',
  'arrived[]',
]

/** On the target's clock: three attempts before the log shows the delivery as failed. */
const failingMs = 45_000

interface Offered {
  ids: readonly string[]
  ends: readonly PrivateEndpoint[]
}

/** Creates an endpoint for each address; accepted webhooks are removed. */
async function offer(t: Driver<Names>, event: WebhookEvent): Promise<Offered> {
  const ids: string[] = []
  const ends: PrivateEndpoint[] = []
  for (const way of blockedAddressesHere(t)) {
    const end = await openPrivateEndpoint(way, t.closedEndpoint('canary', way.address))
    ends.push(end)
    const body = webhookBody(t, { endpoint_url: end.url, events: [event] })
    const creation = await t.manageMore(way.list, { body })
    const id = wasAccepted(creation) ? identityOf(creation)?.id : undefined
    if (id !== undefined) ids.push(id)
  }
  return { ids, ends }
}

async function test(t: Driver<Names>, id: string): Promise<void> {
  await t.manageMore('tests', { method: 'POST', path: `/${encodeURIComponent(id)}/test` })
}

async function readLogs(t: Driver<Names>, { ids, ends }: Offered): Promise<void> {
  if (ids.length > 0) await t.settle(failingMs)
  t.note('shaken', handshakeUrls(ends))
  for (const id of ids) await t.manageMore('logs', { path: `/${encodeURIComponent(id)}/logs` })
}

const judge = {
  'TGT-PRIVATE': (exchanges: CanaryExchanges, context: Context) => unreached(exchanges, 'private', context),
  'TGT-INTERNAL': (exchanges: CanaryExchanges, context: Context) =>
    all(unreached(exchanges, 'internal', context), observedBlocking(exchanges.excused, exchanges.canary)),
  'TGT-SPELLING': (exchanges: CanaryExchanges, context: Context) => unreached(exchanges, 'spelled', context),
} as const

export const sampled = scenario({
  title: 'neither a sample nor an event is delivered to the machine itself at a blocked address',
  exchanges,
  // It causes an event that others may wait for.
  needs: { session: true, receiver: true, alone: true },
  cost: { requests: 4 + 4 * mostBlockedAddresses, turns: 1 },
  async run(t) {
    const control = t.endpoint('arrived')
    mustBeHere(control)
    // Of the events that cost no turn and ask nobody.
    const event = everyEvent.find((one) => forcing.includes(t.providerOf(eventState(one)))) ?? t.event
    const { id } = await t.webhook('control', control, { events: [event] })
    const offered = await offer(t, event)
    await t.optional([], () => t.emit(event))
    for (const webhook of [...offered.ids, id]) await test(t, webhook)
    await control.arrived(1)
    await readLogs(t, offered)
  },
  judge,
})

export const moved = scenario({
  title: 'no sample is delivered to the machine itself after an update to its address',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 4 + 2 * mostBlockedAddresses, turns: 0 },
  async run(t) {
    const control = t.endpoint('arrived')
    mustBeHere(control)
    const { id } = await t.webhook('control', control)
    const path = `/${encodeURIComponent(id)}`
    // One over HTTPS may be accepted and blocked later, and the log of a single webhook would not show which it was.
    for (const way of blockedAddressesHere(t).filter(({ isSecure }) => !isSecure)) {
      const { url } = await openPrivateEndpoint(way, t.closedEndpoint('canary', way.address))
      const body = { endpoint_url: url }
      if (wasAccepted(await t.manageMore(way.list, { method: 'PATCH', path, body }))) await test(t, id)
    }
    await t.manage('back', { method: 'PATCH', path, body: { endpoint_url: control.url } })
    await test(t, id)
    await control.arrived(1)
  },
  judge,
})

/** Nothing arrived at these addresses, while a delivery reached the control. */
function unreached(exchanges: CanaryExchanges, list: List, { dialect, notes }: Context): Judgement {
  const tried = exchanges[list].map((request): Tried => {
    const log = lastLogOf(request, exchanges.logs)
    return { request, arrived: exchanges.canary, log, dialect, shaken: notes['shaken'] }
  })
  if (tried.length === 0) return observed('this machine has no such address that counts here')
  return given(someArrived(attemptsIn(exchanges.arrived), 'the control endpoint'), () =>
    every(tried, blocked),
  )
}
