/** What whoever runs a tenant meets, whichever door the control plane is reached by. */
import { expect } from 'vitest'
import { found, textAt, visit, type House, type Promised } from './house.ts'

async function journal({ front, owner, other, servers }: House): Promise<void> {
  const waits = servers.map(({ control }) => control.journal.waitFor({ path: '/api/v1/chat/' }, { count: 3 }))
  for (const [at, server] of servers.entries()) await server.chat({ message: `by door ${at}` })
  const waited = await Promise.all(waits)
  const read = await Promise.all([front, owner, other].map(({ control }) => control.journal.entries()))
  for (const entries of [...waited, ...read])
    expect(entries.map(({ request }) => /by door \d/.exec(request?.body ?? '')?.[0])).toEqual(
      [0, 1, 2].map((at) => `by door ${at}`),
    )
}

async function state({ front, owner, other }: House): Promise<void> {
  await other.control.setModifications({ faults: ['replay-unmarked'] })
  const told = await Promise.all([front, owner, other].map(({ control }) => control.read()))
  for (const one of told) expect(one).toEqual(told[0])
  expect(told[0]?.faults).toEqual(['replay-unmarked'])
}

async function clock({ front, owner, other }: House): Promise<void> {
  await other.control.clock.freeze(new Date('2030-01-01T00:00:00.000Z'))
  await front.control.clock.advance(61_000)
  const told = await Promise.all([front, owner, other].map(({ control }) => control.clock.read()))
  expect(told.map(({ now }) => now)).toEqual(told.map(() => '2030-01-01T00:01:01.000Z'))
}

async function barriers({ front, owner, other }: House): Promise<void> {
  const made = await other.control.barriers.hold({ at: 'before-run' })
  const turn = front.chat({ key: 'crashed' }).catch(() => 'dropped')
  await owner.control.barriers.find(made.id).reached()
  expect((await front.control.barriers.list()).map(({ id }) => id)).toEqual([made.id])
  expect(await front.control.barriers.find(made.id).crash()).toBe(1)
  const met = await turn
  // nginx has an answer of its own for a connection that breaks.
  expect(typeof met === 'string' ? 502 : met.status).toBe(502)
  expect(textAt(await other.chat({ key: 'crashed' }), 'error')).toBe('OUTCOME_UNCERTAIN')
}

async function reset(house: House): Promise<void> {
  const { front, owner, other, agents } = house
  await owner.chat({ key: 'before' })
  await other.control.pause(agents.plain)
  await other.control.reset()
  const again = await front.chat({ key: 'before' })
  expect([again.status, again.headers.get('x-service-idempotent-replay')]).toEqual([200, null])
  expect(textAt(again, 'response')).not.toBe('')
}

async function deletion({ front, owner, other, servers }: House): Promise<void> {
  for (const server of servers) expect((await server.chat()).status).toBe(200)
  await other.control.close()
  for (const { control } of [front, owner, other])
    await expect(control.read()).rejects.toThrow('There is no tenant')
  for (const server of servers) expect(await server.chat()).toMatchObject({ status: 401 })
}

async function tenants({ urls }: House): Promise<void> {
  for (const server of urls) {
    const names = await found(server)
    const met = await Promise.all(urls.map((url) => visit(url, names).chat()))
    expect(met.map(({ status }) => status)).toEqual([200, 200, 200])
  }
}

export const control: readonly Promised[] = [
  ['the journal has what came by each door, and is read and waited for by any', journal],
  ['settings made by one door are told at every door', state],
  ['a clock that is frozen by one door and moved by another stands there for all', clock],
  ['a barrier is made, waited for, listed and crashed by different servers', barriers],
  ['a tenant that is reset by one door begins anew at every door', reset],
  ['a tenant that is deleted by one door is unknown at every door', deletion],
  ['a tenant made by one door is used by every door', tenants],
]
