/** `kill -9` of a replica while turns and deliveries of its tenants are under way. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Cluster } from './cluster.ts'
import { isSignedBy, openEndpoint, type Arrival, type Endpoint } from './endpoint.ts'
import {
  createTenantServers,
  asksForRetry,
  creditsOf,
  failedOnce,
  assertSuccess,
  hookTo,
  retryWhileRefused,
  isReplay,
  textAt,
  type TenantServers,
} from './tenant-servers.ts'

/** Events of one webhook: their deliveries begin one after the other. */
const leads = 3

interface Mail {
  readonly house: TenantServers
  readonly slow: Endpoint
  readonly failing: Endpoint
  readonly secrets: { readonly slow: string; readonly failing: string }
  /** Ids of all deliveries. */
  readonly emitted: readonly string[]
}

/** Deliveries in every state: one under way, two that wait for their turn, one that failed and waits for its backoff. */
async function send(house: TenantServers, slow: Endpoint, failing: Endpoint): Promise<Mail> {
  const { owner } = house
  const hook = async (endpoint: Endpoint, event: string): Promise<string> =>
    textAt(assertSuccess(await owner.webhooks('POST', '', hookTo(endpoint.url, event))), 'secret_key')
  const secrets = {
    slow: await hook(slow, 'leads.submit'),
    failing: await hook(failing, 'booking.created'),
  }
  const emitted: string[] = [...(await owner.control.emit('booking.created'))]
  for (let lead = 0; lead < leads; lead++) emitted.push(...(await owner.control.emit('leads.submit')))
  await Promise.all([slow.came(1), failing.came(1)])
  await failedOnce(owner)
  return { house, slow, failing, secrets, emitted }
}

async function isTakenOver({ house, slow, failing, secrets, emitted }: Mail): Promise<void> {
  await Promise.all([slow.came(1 + leads), failing.came(2)])
  const ids = (arrivals: readonly Arrival[]): Set<string> =>
    new Set(arrivals.map(({ deliveryId }) => deliveryId))
  expect(ids([...slow.arrivals.slice(1), ...failing.arrivals])).toEqual(new Set(emitted))
  expect(slow.arrivals.every((one) => isSignedBy(secrets.slow, one))).toBe(true)
  expect(failing.arrivals.every((one) => isSignedBy(secrets.failing, one))).toBe(true)
  const { response: met } = await retryWhileRefused(() => house.other.webhooks('GET', ''))
  expect(met.status).toBe(200)
  const delivered = async (): Promise<readonly string[]> =>
    (await house.other.control.deliveries()).flatMap(({ id, state }) => (state === 'delivered' ? [id] : []))
  // What arrived is noted down a moment later.
  while ((await delivered()).length < emitted.length) await pause(20)
  expect(new Set(await delivered())).toEqual(new Set(emitted))
}

export async function killed({ replicas: [dying, living], servers: [front] }: Cluster): Promise<void> {
  const house = await createTenantServers(front, dying.url, living.url)
  const { owner, other, accounts } = house
  await using slow = await openEndpoint('never')
  await using failing = await openEndpoint(500)
  // Of this one nobody asks anything before all has arrived.
  const mail = await send(await createTenantServers(front, dying.url, living.url), slow, failing)
  const before = await creditsOf(owner, accounts.main)
  const paid = assertSuccess(await other.chat({ key: 'paid' }))
  const barrier = await other.control.barriers.hold({ at: 'before-commit', key: 'held' })
  const cut = owner.chat({ key: 'held' }).catch(() => 'dropped')
  await barrier.reached()

  Object.assign(slow, { answers: 204 })
  Object.assign(failing, { answers: 204 })
  await dying.kill()
  expect(await cut).toBe('dropped')
  const { refused, response: met } = await retryWhileRefused(() => other.chat({ key: 'held' }))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.filter((answer) => !asksForRetry(answer))).toEqual([])
  expect([met.status, textAt(met, 'error')]).toEqual([409, 'OUTCOME_UNCERTAIN'])
  expect(isReplay(await other.chat({ key: 'paid' }))).toBe(true)
  expect(await creditsOf(other, accounts.main)).toBe(before - Number(paid.body['credits_used']))
  await isTakenOver(mail)

  await dying.start()
  // It takes part again: it runs a new tenant, and asks the other one about the old ones.
  const next = await createTenantServers(front, dying.url, living.url)
  expect((await next.other.chat()).status).toBe(200)
  for (const server of house.servers) {
    const late = await retryWhileRefused(() => server.chat({ key: 'held' }))
    expect(textAt(late.response, 'error')).toBe('OUTCOME_UNCERTAIN')
  }
}
