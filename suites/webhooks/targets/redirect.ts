/** An endpoint that redirects a delivery to where none may go, at whatever address, or to plain HTTP. */
import { scenario } from '../../scenario/scenario.ts'
import { came } from '../assertions/new-deliveries.ts'
import { attemptsIn, carried } from '../assertions/deliveries.ts'
import { all, check, given, observed } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { publicWay, waysHere, waysMost } from './hosts.ts'
import { mustBeHere, openBy } from './private-endpoint.ts'

/** What follows a redirect does so at once. */
const followMs = 3_000

export const redirect = scenario({
  title: 'a redirect leads no delivery to a blocked address, or to plain HTTP',
  exchanges: ['webhooks[]', 'tests[]', 'door[]', 'canary[]', 'excusedDoor[]', 'excused[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3 * (waysMost + 1), turns: 0 },
  async run(t) {
    // A header holds no other letters.
    const plain = publicWay()
    const here = waysHere(t).filter(({ isSecure }) => !isSecure)
    const ways = [...here, ...(plain ? [{ ...plain, list: 'public' }] : [])]
    for (const way of ways.filter(({ host }) => /^[!-~]+$/.test(host))) {
      const isExcused = way.list === 'excused'
      const { url } = await openBy(way, t.closedEndpoint(isExcused ? 'excused' : 'canary', way.address))
      const answer = { status: 307, headers: [['Location', url]] } as const
      const door = t.endpoint(isExcused ? 'excusedDoor' : 'door', answer)
      mustBeHere(door)
      const { id } = await t.webhookMore('webhooks', door)
      await t.manageMore('tests', { method: 'POST', path: `/${encodeURIComponent(id)}/test` })
      await door.arrived(1)
    }
    await t.settle(followMs)
  },
  judge: {
    'TGT-REDIRECT': ({ tests, door, canary, excusedDoor, excused }) =>
      all(
        observed(
          `${tests.length} redirects; of those by the loopback, which development excuses, ${followed(excused, excusedDoor)}`,
        ),
        ...(door.length === 0 && excusedDoor.length > 0
          ? []
          : [given(came(attemptsIn(door), 'an endpoint that redirects'), () => unreached(canary))]),
      ),
  },
})

function unreached(canary: readonly Exchange[]) {
  const [first] = canary
  const host = first && carried(first, 'host')[0]?.replace(/:\d+$/, '')
  return check(
    first === undefined,
    'no redirect to a blocked address, or to plain HTTP, to be followed',
    `one to ${host}`,
    first,
  )
}

function followed(reached: readonly Exchange[], doors: readonly Exchange[]): string {
  return `${reached.length > 0 ? 'some' : 'none'} ${doors.length > 0 ? 'was followed' : 'was met'}`
}
