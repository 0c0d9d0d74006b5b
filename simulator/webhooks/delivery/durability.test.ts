import { expect, it } from 'vitest'
import { createClock } from '../../tenant/clock/clock.ts'
import { createDurabilityGate } from './durability.ts'
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts'
import { frozenTenant, hook } from './outbox.testkit.ts'

/** A store whose writes end on demand. */
function gateBefore() {
  const tenant = frozenTenant()
  const [a, b] = [
    createEndpointQueue(hook(tenant, 'http://localhost/a')),
    createEndpointQueue(hook(tenant, 'http://localhost/b')),
  ]
  const writes: PromiseWithResolvers<void>[] = []
  const askedTwice = Promise.withResolvers<void>()
  const settled = (): Promise<void> => {
    const write = Promise.withResolvers<void>()
    if (writes.push(write) === 2) askedTwice.resolve()
    return write.promise
  }
  const clock = createClock({ mode: 'frozen' })
  const woken: EndpointQueue[] = []
  const gate = createDurabilityGate(
    { changes: { mark: () => undefined, settled, sure: () => undefined }, clock },
    (endpoint) => void woken.push(endpoint),
  )
  return { gate, a, b, woken, writes, clock, askedTwice: askedTwice.promise }
}

it('lets out what is durable, and asks once more for what came meanwhile', async () => {
  const { gate, a, b, woken, writes, clock } = gateBefore()
  gate.expect(1, a)
  gate.expect(2, a)
  gate.expect(3, b)
  expect([gate.durable, writes.length]).toEqual([0, 1])
  writes[0]?.resolve()
  await clock.yield()
  expect([gate.durable, woken, writes.length]).toEqual([1, [a], 2])
  writes[1]?.resolve()
  await clock.yield()
  expect([gate.durable, woken, writes.length]).toEqual([3, [a, a, b], 2])
})

it('asks again after the store was away for longer than anybody waits', async () => {
  const { gate, a, b, woken, writes, clock, askedTwice } = gateBefore()
  gate.expect(1, a)
  writes[0]?.reject(new Error('away'))
  await clock.yield()
  gate.expect(2, b)
  expect([gate.durable, woken, writes.length]).toEqual([0, [], 1])
  await askedTwice
  writes[1]?.resolve()
  await clock.yield()
  expect([gate.durable, new Set(woken)]).toEqual([2, new Set([a, b])])
})

it('asks nobody any more once it is closed', async () => {
  const { gate, a, woken, writes, clock } = gateBefore()
  gate.expect(1, a)
  gate.close()
  writes[0]?.resolve()
  await clock.yield()
  expect([gate.durable, woken, writes.length]).toEqual([0, [], 1])
})
