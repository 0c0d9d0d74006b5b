/** A replica that is asked to end, as in a deployment, while clients send turn after turn. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Cluster } from './cluster.ts'
import { openEndpoint } from './endpoint.ts'
import {
  createTenantServers,
  asksForRetry,
  creditsOf,
  assertSuccess,
  hookTo,
  textAt,
  type TenantServers,
  type ReadResponse,
  type ServerAccess,
} from './tenant-servers.ts'

/** Fewer than a key may have in a minute. */
const turnsMost = 55

interface Client {
  readonly turns: readonly ReadResponse[]
  /** Answers that said to come again; `dropped`: there was none. */
  readonly refused: readonly (ReadResponse | 'dropped')[]
}

/** Sends one turn after the other, each with its key until there is an answer to it. */
async function keepSending({ front }: TenantServers, over: AbortSignal, begun: () => void): Promise<Client> {
  const turns: ReadResponse[] = []
  const refused: (ReadResponse | 'dropped')[] = []
  let after = 0
  while (after < 3 && turns.length < turnsMost) {
    if (over.aborted) after++
    const key = `turn-${turns.length}`
    for (;;) {
      const met = await front.chat({ key }).catch(() => 'dropped' as const)
      if (met !== 'dropped' && met.status < 500 && textAt(met, 'error') !== 'REQUEST_IN_PROGRESS') {
        turns.push(met)
        break
      }
      refused.push(met)
      await pause(50)
    }
    if (turns.length === 5) begun()
    await pause(20)
  }
  return { turns, refused }
}

/** What each client received is what the tenant has: every turn once, and paid for once. */
async function addsUp(
  { turns }: Client,
  server: ServerAccess,
  account: string,
  before: number,
): Promise<void> {
  expect(turns.filter(({ status }) => status !== 200)).toEqual([])
  expect(new Set(turns.map((turn) => textAt(turn, 'conversation_id'))).size).toBe(turns.length)
  const spent = turns.reduce((sum, { body }) => sum + Number(body['credits_used']), 0)
  expect(await creditsOf(server, account)).toBeCloseTo(before - spent)
}

/** A turn that takes longer than it takes to ask the replica to end. */
async function beginLong({ owner, front }: TenantServers): Promise<{ answer: Promise<ReadResponse> }> {
  await owner.control.addReplyRules([{ match: { message: 'Wait.' }, reply: { text: 'Done.', delayMs: 500 } }])
  const barrier = await owner.control.barriers.hold({ at: 'before-run' })
  const answer = front.chat({ message: 'Wait.' })
  await barrier.reached()
  await barrier.release()
  return { answer }
}

export async function ended({ replicas: [leaving, staying], servers: [front] }: Cluster): Promise<void> {
  const owners = [leaving, leaving, staying]
  const houses = await Promise.all(owners.map(({ url }) => createTenantServers(front, url, staying.url)))
  const before = await Promise.all(houses.map(({ other, accounts }) => creditsOf(other, accounts.main)))
  await using endpoint = await openEndpoint()
  for (const { other } of houses)
    assertSuccess(await other.webhooks('POST', '', hookTo(endpoint.url, 'message.sent')))
  const over = new AbortController()
  const underWay = houses.map(() => Promise.withResolvers<void>())
  const sending = houses.map((house, at) => keepSending(house, over.signal, () => underWay[at]?.resolve()))
  await Promise.all(underWay.map(({ promise }) => promise))
  const { answer } = await beginLong(await createTenantServers(front, leaving.url, staying.url))
  expect(await leaving.end()).toBe(0)
  expect((await answer).status).toBe(200)
  over.abort()
  const clients = await Promise.all(sending)
  for (const [at, { other, accounts }] of houses.entries()) {
    const client = clients[at]
    if (client) await addsUp(client, other, accounts.main, before[at] ?? Number.NaN)
  }
  const refused = clients.flatMap((client) => client.refused)
  const reported = clients.reduce((sum, { turns }) => sum + turns.length, 0)
  await endpoint.came(reported)
  expect(new Set(endpoint.arrivals.map(({ deliveryId }) => deliveryId)).size).toBe(reported)
  // What nginx says of a connection that broke is its own.
  expect(refused.filter((one) => one !== 'dropped' && one.status !== 502 && !asksForRetry(one))).toEqual([])
  // Tenants are between two replicas for a moment; until a lease is over, there would be more.
  expect(refused.length).toBeLessThan(turnsMost)
  await leaving.start()
}
