import { expect, test, vi } from 'vitest'
import { createMemoryStore } from '../store/memory.ts'
import { createMachine } from '../tenant/clock/machine.testkit.ts'
import { breathe } from '../tenant/clock/machine-time.ts'
import { createLease } from './lease.ts'

test('a lease that was over by the time of the store alone holds once it is known what others took', async () => {
  // The machine of the replica sleeps, and that of the store does not.
  const [machine, storeMachine] = [createMachine(), createMachine()]
  const known = Promise.withResolvers<void>()
  const lease = createLease({
    store: createMemoryStore(() => storeMachine.elapsed()),
    replica: { id: 'a', address: 'http://a' },
    leaseMs: 9_000,
    machine,
    regained: vi.fn(() => known.promise),
  })
  const seen: boolean[] = []
  const pass = async (): Promise<void> => {
    for (const each of [storeMachine, machine]) each.pass(3_000)
    await breathe()
    seen.push(lease.holds)
  }
  await lease.begin()
  await pass()
  storeMachine.pass(60_000)
  await pass()
  known.resolve()
  await breathe()
  seen.push(lease.holds)
  await lease.end()
  expect(seen).toEqual([true, false, true])
})
