/** What deliveries owe to their store: they wait for it, are bounded in it, and are new in each life. */
import { expect, it } from 'vitest'
import { createMemoryStore } from '../store/memory.ts'
import { StoreAway } from '../store/store.ts'
import { hook, ids, receive } from '../webhooks/delivery/outbox.testkit.ts'
import { documentsOf, startLife } from './codecs/deliveries.testkit.ts'

const minute = 60_000

it('a delivery made in a later life has an id that no earlier one gave', async () => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  const made: string[] = []
  for (let lives = 0; lives < 3; lives++) {
    const life = await startLife(store)
    if (lives === 0) hook(life.tenant, `${receiver.url}/`)
    made.push(...life.tenant.emit('leads.submit'))
    await life.writeBehind.flush()
    life.die()
  }
  expect([made.length, new Set(made).size]).toEqual([3, 3])
})

it('while the store is away nothing goes out, and everything once it is back', async () => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  let away = false
  const commit = store.commit.bind(store)
  store.commit = async (...given) => {
    if (away) throw new StoreAway('the disk is full')
    return commit(...given)
  }
  const { tenant, writeBehind } = await startLife(store)
  const webhook = hook(tenant, `${receiver.url}/`)
  await writeBehind.flush()
  away = true
  const emitted = [tenant.emit('leads.submit'), tenant.emit('leads.submit')].flat()
  while (writeBehind.away === null) await tenant.clock.yield()
  expect(tenant.state.outbox.counts).toMatchObject({ waiting: 2, inFlight: 0 })
  expect(tenant.state.outbox.persisted.isReady()).toBe(true)
  away = false
  await receiver.arrived(2)
  expect(ids(receiver)).toEqual(emitted)
  await tenant.clock.advance(0)
  expect(tenant.deliveries(webhook.id).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
})

it('what the log lets go for its limits goes from the store, too, and is counted', async () => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  const options = { retention: { deliveries: { most: 4, ageMs: 10 * minute } } }
  const { tenant, writeBehind } = await startLife(store, options)
  const kept = async (): Promise<number> => {
    await writeBehind.flush()
    return (await documentsOf(store, ['delivery'])).length
  }
  const deliver = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) tenant.emit('leads.submit')
    await tenant.clock.advance(0)
  }
  hook(tenant, `${receiver.url}/`)
  await deliver(3)
  expect([await kept(), tenant.state.outbox.forgotten]).toEqual([3, 0])
  await deliver(3)
  expect([await kept(), tenant.state.outbox.forgotten]).toEqual([4, 2])
  await tenant.clock.advance(11 * minute)
  await deliver(1)
  expect([await kept(), tenant.state.outbox.forgotten]).toEqual([1, 6])
  receiver.script('/', 'hold')
  for (let n = 0; n < 6; n++) tenant.emit('leads.submit')
  expect(tenant.state.outbox.counts).toMatchObject({ dropped: 2 })
})

it('what waited too long at a paused endpoint is dropped when more comes', async () => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  const { tenant } = await startLife(store, { retention: { deliveries: { most: 9, ageMs: 5 * minute } } })
  hook(tenant, `${receiver.url}/`)
  receiver.script('/', 500)
  const emit = (count: number): void => {
    for (let n = 0; n < count; n++) tenant.emit('leads.submit')
  }
  emit(5)
  await tenant.clock.advance(minute)
  emit(2)
  await tenant.clock.advance(5 * minute)
  expect(tenant.state.outbox.counts).toMatchObject({ failed: 5, waiting: 2, dropped: 0 })
  emit(1)
  expect(tenant.state.outbox.counts).toMatchObject({ failed: 5, waiting: 1, dropped: 2 })
})

it('a tenant with something to send is due at once, whatever its clock, and not when it has sent everything', async () => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  const due: unknown[] = []
  const commit = store.commit.bind(store)
  store.commit = async (owner, commits) => {
    due.push(...commits.map(({ dueInMs }) => dueInMs))
    return commit(owner, commits)
  }
  const { tenant, writeBehind } = await startLife(store)
  hook(tenant, `${receiver.url}/`)
  tenant.emit('leads.submit')
  await writeBehind.flush()
  expect(due.at(-1)).toBe(0)
  await tenant.clock.advance(0)
  await writeBehind.flush()
  expect(due.at(-1)).toBeNull()
})

it.for([
  ['goes out where nobody has', false, 2],
  ['stays here where somebody has', true, 1],
] as const)('a retry that is due when others may have taken the tenant %s', async ([, isTaken, attempts]) => {
  const [store, receiver] = [createMemoryStore(), await receive()]
  let isSure = true
  const { tenant } = await startLife(store, {}, () => isSure)
  hook(tenant, `${receiver.url}/`)
  receiver.script('/', 500, 204)
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  isSure = false
  if (isTaken) await store.claim('kept', 'another')
  await tenant.clock.advance(10_000)
  expect(ids(receiver)).toHaveLength(attempts)
})
