/** Replicas at one store, each behind an address of its own: whoever talks to any of them meets one service. */
import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { createMemoryStore } from '../../simulator/store/memory.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { troubles } from '../simulated-run.ts'

test('the scenarios pass against a replica that runs nothing itself, beside the one that runs all', async () => {
  const store = createMemoryStore()
  await using owner = await createSimulator({ store })
  await using other = await createSimulator({ store })
  const target = simulatorTarget(owner)
  const control = { url: target.control?.url.replace(owner.url, other.url) ?? '', token: null }
  const passing = { ...target, baseUrl: other.url, replicas: [owner.url], control, profile: 'smoke' } as const
  const run = await runServerUnredacted(passing, { seed: 1 })
  expect(other.tenants).toEqual([])
  expect(troubles(run)).toEqual([])
})
