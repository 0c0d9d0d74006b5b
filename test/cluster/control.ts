/** Control-plane cases that must work the same through each server. */
import { expect } from 'vitest'
import {
  createTenant,
  textAt,
  accessThrough,
  type TenantServers,
  type ClusterCase,
} from './tenant-servers.ts'

async function journal({ front, owner, other, servers }: TenantServers): Promise<void> {
  const waits = servers.map(({ control }) => control.journal.waitFor({ path: '/api/v1/chat/' }, { count: 3 }))
  for (const [at, server] of servers.entries()) await server.chat({ message: `through server ${at}` })
  const waited = await Promise.all(waits)
  const read = await Promise.all([front, owner, other].map(({ control }) => control.journal.entries()))
  for (const entries of [...waited, ...read])
    expect(entries.map(({ request }) => /through server \d/.exec(request?.body ?? '')?.[0])).toEqual(
      [0, 1, 2].map((at) => `through server ${at}`),
    )
}

async function state({ front, owner, other }: TenantServers): Promise<void> {
  await other.control.setModifications({ faults: ['replay-unmarked'] })
  const states = await Promise.all([front, owner, other].map(({ control }) => control.read()))
  for (const one of states) expect(one).toEqual(states[0])
  expect(states[0]?.faults).toEqual(['replay-unmarked'])
}

async function clock({ front, owner, other }: TenantServers): Promise<void> {
  await other.control.clock.freeze(new Date('2030-01-01T00:00:00.000Z'))
  await front.control.clock.advance(61_000)
  const states = await Promise.all([front, owner, other].map(({ control }) => control.clock.read()))
  expect(states.map(({ now }) => now)).toEqual(states.map(() => '2030-01-01T00:01:01.000Z'))
}

async function barriers({ front, owner, other }: TenantServers): Promise<void> {
  const made = await other.control.barriers.hold({ at: 'before-run' })
  const turn = front.chat({ key: 'crashed' }).catch(() => 'dropped')
  await owner.control.barriers.find(made.id).reached()
  expect((await front.control.barriers.list()).map(({ id }) => id)).toEqual([made.id])
  expect(await front.control.barriers.find(made.id).crash()).toBe(1)
  const response = await turn
  // nginx itself responds 502 when the connection breaks.
  expect(typeof response === 'string' ? 502 : response.status).toBe(502)
  expect(textAt(await other.chat({ key: 'crashed' }), 'error')).toBe('OUTCOME_UNCERTAIN')
}

async function reset(tenant: TenantServers): Promise<void> {
  const { front, owner, other, agents } = tenant
  await owner.chat({ key: 'before' })
  await other.control.pause(agents.plain)
  await other.control.reset()
  const again = await front.chat({ key: 'before' })
  expect([again.status, again.headers.get('x-service-idempotent-replay')]).toEqual([200, null])
  expect(textAt(again, 'response')).not.toBe('')
}

async function deletion({ front, owner, other, servers }: TenantServers): Promise<void> {
  for (const server of servers) expect((await server.chat()).status).toBe(200)
  await other.control.close()
  for (const { control } of [front, owner, other])
    await expect(control.read()).rejects.toThrow('There is no tenant')
  for (const server of servers) expect(await server.chat()).toMatchObject({ status: 401 })
}

async function tenants({ urls }: TenantServers): Promise<void> {
  for (const server of urls) {
    const names = await createTenant(server)
    const responses = await Promise.all(urls.map((url) => accessThrough(url, names).chat()))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  }
}

export const control: readonly ClusterCase[] = [
  ['the journal has the requests through each server and can be read through any', journal],
  ['settings made through one server are visible through each', state],
  ['a clock frozen through one server and advanced through another is the same for all', clock],
  ['a barrier is created, awaited, listed and crashed through different servers', barriers],
  ['a tenant reset through one server is reset for each', reset],
  ['a tenant deleted through one server is unknown to each', deletion],
  ['a tenant created through one server works through each', tenants],
]
