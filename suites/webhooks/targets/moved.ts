/**
 * Names that resolve to a public address when a webhook is created, and to a private one when it is delivered to. No
 * delivery is caused while a name certainly resolves to the public address.
 */
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { MovingName, MovingNames } from '../../inbound/name-server.ts'
import { someArrived, attemptsIn } from '../assertions/deliveries.ts'
import { all, every, given, citing, fail, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { wasAccepted, resultOf, identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { handshakeUrls, type PrivateEndpoint } from './private-endpoint.ts'
import { webhookBody } from '../webhook-requests.ts'
import { arrivedThrough, hostOf, isShaken } from '../assertions/canary.ts'
import { asked } from '../../assertions/turn.ts'

/** Nothing was delivered to a private address to which a name moved after the creation of its webhook. */

interface Moved {
  request: Exchange
  arrived: readonly Exchange[]
  /** The HTTPS URLs at which a TLS handshake arrived, separated by spaces. */
  shaken: unknown
  /** Names that were resolved to the private address, separated by spaces. */
  followed: unknown
}

/**
 * Passes if the name was resolved after it was moved, and nothing arrived. A service that delivers to the address
 * resolved at creation never resolves it again: it conforms, which cannot be observed here.
 */
function movedInVain({ request, arrived, shaken, followed }: Moved): Judgement {
  const host = hostOf(request)
  // The label differs in each run.
  const expected = `nothing to be delivered to ${host.replace(/^[^.]*\./, 'a name in ')} once it leads to a private address`
  const [first] = arrivedThrough(request, arrived)
  if (first)
    return citing(fail(expected, 'a delivery', first), [request, 'accepted endpoint'], [first, 'delivery'])
  // A service that checks the address of a connection has started a handshake, and delivers nothing.
  if (isShaken(asked(request)?.['endpoint_url'], shaken))
    return warn(expected, 'a connection with the beginning of a TLS handshake', request)
  if (!wasAccepted(request))
    return inconclusive(`an endpoint at a name that leads to a public address: ${resultOf(request)}`)
  return String(followed).split(' ').includes(host)
    ? pass
    : inconclusive('the name was not looked up after it had been moved to a private address')
}

type Names = 'control' | `${'moved' | 'further' | 'tests' | 'canary' | 'arrived'}[]`
type T = Driver<Names>
type Seen = Readonly<Record<'moved' | 'further' | 'canary' | 'arrived', readonly Exchange[]>>

const exchanges: readonly Names[] = ['control', 'moved[]', 'further[]', 'tests[]', 'canary[]', 'arrived[]']

interface Offered {
  name: MovingName
  end: PrivateEndpoint
  id: string | undefined
  alternates: boolean
  change: (to: string) => void
}

interface Offering {
  list: 'moved' | 'further'
  isSecure: boolean
  /** Alternates between the lookup that is judged and the one that is connected to. */
  alternates: boolean
}

/** Over plain HTTP too, for a service that accepts it: there a delivery arrives completely. */
const offerings: readonly Offering[] = [
  { list: 'moved', isSecure: true, alternates: false },
  { list: 'further', isSecure: false, alternates: false },
  { list: 'further', isSecure: true, alternates: true },
  { list: 'further', isSecure: false, alternates: true },
]

/** A lookup follows an event within seconds; retries take some more. */
const looks = 6
const apartMs = 5_000
/** Real milliseconds from a lookup to the end of a request. */
const underWayMs = 300

/** Ends the scenario without a name, or without a private address at which we could observe a delivery. */
function namesOf({ movingNames }: T): { names: MovingNames; later: string } {
  if (movingNames === null)
    throw notExercised('fixture-missing', 'the target asks this run for no names; declare receiver.resolver')
  const { later } = movingNames
  return later === null ? notHere() : { names: movingNames, later }
}

function notHere(): never {
  throw notExercised(
    'receiver-unreachable',
    'no private address of this machine is known to move a name to; declare receiver.resolver.later',
  )
}

/** Advancing the clock at once would end an attempt during its handshake. */
async function elapse(t: T): Promise<void> {
  await t.pause(underWayMs)
  await t.settle(apartMs)
}

const judge = {
  'TGT-RESOLVED': ({ moved, further, canary, arrived }: Seen, { notes }: Context) => {
    const one = (request: Exchange) =>
      movedInVain({ request, arrived: canary, shaken: notes['shaken'], followed: notes['followed'] })
    // For a name that alternates, or plain HTTP: neither must be accepted, so only arrived requests are judged.
    return given(someArrived(attemptsIn(arrived), 'the control endpoint'), () =>
      all(every(moved, one), ...further.map(one).filter(({ is }) => is === 'fail' || is === 'warn')),
    )
  },
} as const

const creations = 1 + offerings.length

export const sampled = scenario({
  title: 'no sample is delivered to a name that has been moved to a private address',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 3 * creations, turns: 0 },
  async run(t) {
    const control = t.endpoint('arrived')
    const { id } = await t.webhook('control', control)
    // Creates webhooks for names that are moved after all of them exist.
    const { names, later } = namesOf(t)
    const offered: Offered[] = []
    for (const { list, isSecure, alternates } of offerings) {
      if (alternates && !names.rebinding) continue
      const place =
        (await t.closedEndpoint('canary', later, isSecure ? names.certificate : null)) ?? notHere()
      await place.open()
      const name = names.name(t.uuid())
      const url = isSecure ? place.secureAt(name.host) : place.at(name.host)
      const body = webhookBody(t, { endpoint_url: url, events: [t.event] })
      const creation = await t.manageMore(list, { body })
      const id = wasAccepted(creation) ? identityOf(creation)?.id : undefined
      const change = alternates ? (to: string) => name.alternate(to) : (to: string) => name.move(to)
      offered.push({ name, end: { place, url }, id, alternates, change })
    }
    for (const { change } of offered) change(later)
    const offering = { offered, later }
    for (const webhook of [...offering.offered.map((one) => one.id), id])
      if (webhook !== undefined)
        await t.manageMore('tests', { method: 'POST', path: `/${encodeURIComponent(webhook)}/test` })
    await control.arrived(1)
    // Waits until each name was resolved, and until resulting requests have arrived.
    const made = offering.offered.filter(({ id }) => id !== undefined)
    const hasFollowed = ({ name }: Offered): boolean => name.answered(offering.later)
    // A name that alternates may be resolved only once.
    const awaited = made.filter(({ alternates }) => !alternates)
    for (let left = looks; left > 0 && !awaited.every(hasFollowed); left--) await elapse(t)
    if (made.length > 0) await elapse(t)
    const followed = made.filter(hasFollowed).map(({ name }) => name.host)
    t.note('followed', followed.join(' '))
    t.note('shaken', handshakeUrls(offering.offered.map(({ end }) => end)))
  },
  judge,
})
