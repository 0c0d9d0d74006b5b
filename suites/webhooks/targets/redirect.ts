/** Endpoints that redirect a delivery to a blocked address, or to plain HTTP. */
import { scenario } from '../../scenario/scenario.ts'
import { someArrived, attemptsIn, deliveredHeaderValues } from '../assertions/deliveries.ts'
import { all, check, given, observed } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { publicAddressHere, blockedAddressesHere, mostBlockedAddresses } from './hosts.ts'
import { mustBeHere, openPrivateEndpoint } from './private-endpoint.ts'

/** A sender that follows a redirect does so at once. */
const followMs = 3_000

/** An endpoint that fails more often may be paused. */
const mostOfOne = 3

export const redirect = scenario({
  title: 'no redirect leads a delivery to a blocked address, or to plain HTTP',
  exchanges: ['webhooks[]', 'tests[]', 'redirect[]', 'canary[]', 'excusedRedirect[]', 'excused[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3 * (mostBlockedAddresses + 1), turns: 0 },
  async run(t) {
    // A header contains no other characters.
    const plain = publicAddressHere()
    const here = blockedAddressesHere(t).filter(({ isSecure }) => !isSecure)
    const ways = [...here, ...(plain ? [{ ...plain, list: 'public' }] : [])]
    const fit = ways.filter(({ host }) => /^[!-~]+$/.test(host))
    for (const isExcused of [true, false]) {
      const own = fit.filter(({ list }) => (list === 'excused') === isExcused)
      for (let at = 0; at < own.length; at += mostOfOne) {
        const redirect = t.endpoint(isExcused ? 'excusedRedirect' : 'redirect')
        mustBeHere(redirect)
        const { id } = await t.webhookMore('webhooks', redirect)
        for (const way of own.slice(at, at + mostOfOne)) {
          const closed = t.closedEndpoint(isExcused ? 'excused' : 'canary', way.address)
          const { url } = await openPrivateEndpoint(way, closed)
          const { count } = redirect
          redirect.script({ status: 307, headers: [['Location', url]] })
          await t.manageMore('tests', { method: 'POST', path: `/${encodeURIComponent(id)}/test` })
          await redirect.arrived(count + 1)
        }
      }
    }
    await t.settle(followMs)
  },
  judge: {
    'TGT-REDIRECT': ({ tests, redirect, canary, excusedRedirect, excused }) =>
      all(
        observed(
          `${tests.length} redirects; of those by the loopback, which development excuses, ${followed(excused, excusedRedirect)}`,
        ),
        ...(redirect.length === 0 && excusedRedirect.length > 0
          ? []
          : [
              given(someArrived(attemptsIn(redirect), 'an endpoint that redirects'), () => unreached(canary)),
            ]),
      ),
  },
})

function unreached(canary: readonly Exchange[]) {
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
