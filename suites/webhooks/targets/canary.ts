/**
 * Addresses of the machine that our receiver and the target share, to which nothing may be delivered. A service may
 * refuse such an endpoint or block at delivery; it must not deliver.
 */
import { eventState } from '../../../spec/index.ts'
import { forcing } from '../../config/provided.ts'
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { someArrived, attemptsIn, deliveredHeaderValues } from '../assertions/deliveries.ts'
import { blocked, lastLogOf, observedBlocking, type Tried } from '../assertions/canary.ts'
import { all, check, every, given, observed } from '../../scenario/expect.ts'
import { wasAccepted, identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { blockedAddressesHere, mostBlockedAddresses, publicAddressHere } from './hosts.ts'
import { mustBeHere, openPrivateEndpoint, readLogs, type PrivateEndpoint } from './private-endpoint.ts'
import { everyEvent, sampleTo, webhookBody } from '../webhook-requests.ts'

type List = 'private' | 'internal' | 'spelled' | 'excused'
/** `led`: where a redirect led. */
type Arrivals = 'canary' | 'arrived' | 'excusedArrived' | 'led' | 'excusedLed'
type Names = 'back' | `${List | 'controls' | 'tests' | 'logs' | Arrivals}[]`
type CanaryExchanges = Readonly<Record<List | 'logs' | Arrivals, readonly Exchange[]>>

const exchanges: readonly Names[] = [
  'controls[]',
  'private[]',
  'internal[]',
  'spelled[]',
  'excused[]',
  'tests[]',
  'back',
  'logs[]',
  'canary[]',
  'arrived[]',
  'excusedArrived[]',
  'led[]',
  'excusedLed[]',
]

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
    const { id } = await t.webhookMore('controls', control, { events: [event] })
    // Creates an endpoint for each address; accepted webhooks are removed.
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
    const offered = { ids, ends }
    await t.optional([], () => t.emit(event))
    for (const webhook of [...offered.ids, id]) await t.manageMore('tests', sampleTo({ id: webhook }))
    await control.arrived(1)
    await readLogs(t, offered)
  },
  judge,
})

/** A sender that follows a redirect does so at once. */
const followMs = 3_000

/** An endpoint that fails more often may be paused. */
const mostOfOne = 3

export const later = scenario({
  title:
    'no sample is delivered to the machine itself after an update to its address, and no redirect leads one there, or to plain HTTP',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 3 * (mostBlockedAddresses + 1) + 2, turns: 0 },
  async run(t) {
    const plain = publicAddressHere()
    // One over HTTPS may be accepted and blocked later, and the log of a single webhook would not show which it was.
    const here = blockedAddressesHere(t).filter(({ isSecure }) => !isSecure)
    const ways = [...here, ...(plain ? [{ ...plain, list: 'public' }] : [])]
    // A header contains no other characters.
    const fit = ways.filter(({ host }) => /^[!-~]+$/.test(host))
    // Not one that is to redirect later: it may be paused for what could not be delivered.
    const home = t.endpoint('arrived')
    mustBeHere(home)
    const moved = await t.webhookMore('controls', home)
    const change = (endpoint_url: string) =>
      ({ method: 'PATCH', path: `/${encodeURIComponent(moved.id)}`, body: { endpoint_url } }) as const
    for (const way of here) {
      const { url } = await openPrivateEndpoint(way, t.closedEndpoint('canary', way.address))
      if (wasAccepted(await t.manageMore(way.list, change(url)))) await t.manageMore('tests', sampleTo(moved))
    }
    await t.manage('back', change(home.url))
    for (const isExcused of [true, false]) {
      const own = fit.filter(({ list }) => (list === 'excused') === isExcused)
      for (let at = 0; at < own.length; at += mostOfOne) {
        const redirect = t.endpoint(isExcused ? 'excusedArrived' : 'arrived')
        mustBeHere(redirect)
        const hook = await t.webhookMore('controls', redirect)
        for (const way of own.slice(at, at + mostOfOne)) {
          const closed = t.closedEndpoint(isExcused ? 'excusedLed' : 'led', way.address)
          const { url } = await openPrivateEndpoint(way, closed)
          const { count } = redirect
          redirect.script({ status: 307, headers: [['Location', url]] })
          await t.manageMore('tests', sampleTo(hook))
          await redirect.arrived(count + 1)
        }
      }
    }
    await t.settle(followMs)
  },
  judge: {
    ...judge,
    'TGT-REDIRECT': ({ arrived, led, excusedArrived, excusedLed }) =>
      all(
        observed(
          `${arrived.length + excusedArrived.length} redirects; of those by the loopback, which development excuses, ${followed(excusedLed, excusedArrived)}`,
        ),
        ...(arrived.length === 0 && excusedArrived.length > 0
          ? []
          : [given(someArrived(attemptsIn(arrived), 'an endpoint that redirects'), () => unled(led))]),
      ),
  },
})

/** Nothing arrived at these addresses, while a delivery reached the control. */
function unreached(exchanges: CanaryExchanges, list: List, { dialect, notes }: Context): Judgement {
  const tried = exchanges[list].map((request): Tried => {
    const log = lastLogOf(request, exchanges.logs)
    return { request, arrived: exchanges.canary, log, dialect, shaken: notes['shaken'] }
  })
  if (tried.length === 0) return observed('this machine has no such address that counts here')
  return given(
    someArrived(attemptsIn([...exchanges.arrived, ...exchanges.excusedArrived]), 'the control endpoint'),
    () => every(tried, blocked),
  )
}

function unled(canary: readonly Exchange[]) {
  const [first] = canary
  const host = first && deliveredHeaderValues(first, 'host')[0]?.replace(/:\d+$/, '')
  return check(
    first === undefined,
    'no redirect to a blocked address, or to plain HTTP, to be followed',
    `one to ${host}`,
    first,
  )
}

function followed(reached: readonly Exchange[], redirects: readonly Exchange[]): string {
  return `${reached.length > 0 ? 'some' : 'none'} ${redirects.length > 0 ? 'was followed' : 'was met'}`
}
