import { expect, test } from 'vitest'
import { status } from '../../assertions/answer.ts'
import { every } from '../../scenario/expect.ts'
import { realClock, type Clock } from '../../wire/clock.ts'
import { runSuite } from '../drivers/server.ts'
import { scenario } from '../../scenario/scenario.ts'
import { serviceDouble, targetDouble } from '../service.testkit.ts'

/** A clock that jumps where somebody waits longer than for any answer. */
function jumpingClock(): Clock {
  const real = realClock()
  let jumped = 0
  const sleep: Clock['sleep'] = async (ms, signal) =>
    ms > 10_000 ? void (jumped += ms) : real.sleep(ms, signal)
  return { ...real, now: () => real.now() + jumped, sleep }
}

/** Ten requests: a whole minute of one key. */
const minute = scenario({
  title: 'ten turns at once',
  exchanges: ['turns[]'],
  cost: { requests: 10, turns: 10 },
  run: async (t) =>
    void (await t.together(
      'turns',
      Array.from({ length: 10 }, () => ({})),
    )),
  judge: { 'RES-JSON': ({ turns }) => every(turns, (turn) => status(turn, 200)) },
})
const minutes = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`pool/${i}`, minute]))

/** Whole minutes waited, the keys in the order of the scenarios, and what it cost. */
async function shared(pool: readonly string[]) {
  const service = await serviceDouble()
  const principals = targetDouble().principals.map((principal) => ({ ...principal, pool }))
  const budgets = { ...targetDouble().budgets, requestsPerMinute: 10, wallSeconds: 10_000 }
  try {
    const target = { ...service.target, principals, budgets }
    const run = await runSuite(target, {
      seed: 1,
      runId: 'run',
      scenarios: minutes,
      clock: jumpingClock(),
    })
    const reported = run.journal.filter(({ scenario }) => scenario.startsWith('pool/'))
    const perScenario = Map.groupBy(reported, ({ scenario }) => scenario)
    const lanes = [...perScenario.values()].map((sent) => [
      ...new Set(sent.map(({ request }) => request.principal)),
    ])
    const bearers = service.seen.map(({ headers }) => headers.authorization)
    const { wallSeconds, ...cost } = run.record.used
    return { minutes: Math.floor(wallSeconds / 60), cost, lanes, bearers: new Set(bearers) }
  } finally {
    await service.close()
  }
}

test('scenarios share the keys of a pool, each with one of them, and the waits drop accordingly', async () => {
  const [one, three] = [await shared([]), await shared(['sk-two', 'sk-three'])]
  expect(three.bearers).toEqual(new Set(['Bearer sk-main', 'Bearer sk-two', 'Bearer sk-three']))
  expect(three.lanes.slice(0, 4)).toEqual([['main'], ['main#2'], ['main#3'], ['main']])
  // The request before the run is one of the first key, so each of its minutes is waited for.
  expect([one.minutes, three.minutes]).toEqual([12, 4])
  expect(three.cost).toEqual(one.cost)
  expect(await shared(['sk-two', 'sk-three'])).toEqual(three)
})
