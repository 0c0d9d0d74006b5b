/** On a clock that nobody moves on, the scenarios about webhooks wait side by side. Both sides hurry alike. */
import { expect, test } from 'vitest'
import { webhookScenarios } from '../../suites/webhooks/index.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { simulatedRun, troubles } from '../simulated-run.ts'

/** More would leave a sender that waits ten seconds too little of real time. */
const factor = 10

test('a server whose clock goes by itself conforms, with all scenarios that wait run at the same time', async () => {
  const run = await simulatedRun(
    { clock: { mode: 'scaled', factor } },
    { scenarios: webhookScenarios, clock: hurriedClock(factor) },
    // A pause of an endpoint is waited for in minutes. Management is under no rate that the contract shows.
    (target) => ({
      ...target,
      optIn: [],
      budgets: { ...target.budgets, requestsPerMinute: 6_000 },
      timing: { clock: 'real', answerTimeoutMs: 60_000 },
    }),
  )
  // Nor is it judged how a busy machine keeps to ten seconds of which each takes a tenth.
  const beside = /^pausing\/endpoint\/|inconclusive: no answer was given within the time that it was to take$/
  expect(troubles(run).filter((one) => !beside.test(one))).toEqual([])
  const took = [...Map.groupBy(run.journal, ({ scenario }) => scenario).values()].map(span)
  const [whole, longest, all] = [span(run.journal), Math.max(...took), took.reduce((sum, ms) => sum + ms, 0)]
  expect(all).toBeGreaterThan(2 * whole)
  expect(whole).toBeLessThan(2.5 * longest)
})

/** From the first request to the end of the last. */
function span(exchanges: readonly Exchange[]): number {
  return (
    Math.max(...exchanges.map(({ endedAt }) => endedAt)) - Math.min(...exchanges.map(({ sentAt }) => sentAt))
  )
}
