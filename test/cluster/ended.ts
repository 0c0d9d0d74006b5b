/** A replica that is asked to end, as in a deployment, while clients send turn after turn. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Cluster } from './cluster.ts'
import { build, comeAgain, creditsOf, textAt, type House, type Said, type Visit } from './house.ts'

/** Fewer than a key may have in a minute. */
const turnsMost = 55

interface Client {
  readonly turns: readonly Said[]
  /** Answers that said to come again; `dropped`: there was none. */
  readonly refused: readonly (Said | 'dropped')[]
}

/** Sends one turn after the other, each with its key until there is an answer to it. */
async function keepSending({ front }: House, over: AbortSignal, begun: () => void): Promise<Client> {
  const turns: Said[] = []
  const refused: (Said | 'dropped')[] = []
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

/** What each client was told is what the tenant has: every turn once, and paid for once. */
async function addsUp({ turns }: Client, door: Visit, account: string, before: number): Promise<void> {
  expect(turns.filter(({ status }) => status !== 200)).toEqual([])
  expect(new Set(turns.map((turn) => textAt(turn, 'conversation_id'))).size).toBe(turns.length)
  const spent = turns.reduce((sum, { body }) => sum + Number(body['credits_used']), 0)
  expect(await creditsOf(door, account)).toBeCloseTo(before - spent)
}

export async function ended({ replicas: [leaving, staying], doors: [front] }: Cluster): Promise<void> {
  const owners = [leaving, leaving, staying]
  const houses = await Promise.all(owners.map(({ url }) => build(front, url, staying.url)))
  const before = await Promise.all(houses.map(({ other, accounts }) => creditsOf(other, accounts.main)))
  const over = new AbortController()
  const underWay = houses.map(() => Promise.withResolvers<void>())
  const sending = houses.map((house, at) => keepSending(house, over.signal, () => underWay[at]?.resolve()))
  await Promise.all(underWay.map(({ promise }) => promise))
  expect(await leaving.end()).toBe(0)
  over.abort()
  const clients = await Promise.all(sending)
  for (const [at, { other, accounts }] of houses.entries()) {
    const client = clients[at]
    if (client) await addsUp(client, other, accounts.main, before[at] ?? Number.NaN)
  }
  const refused = clients.flatMap((client) => client.refused)
  // What nginx says of a connection that broke is its own.
  expect(refused.filter((one) => one !== 'dropped' && one.status !== 502 && !comeAgain(one))).toEqual([])
  // A world is between two replicas for a moment, and its client comes by there a few times.
  expect(refused.length).toBeLessThan(5 * clients.length)
  await leaving.start()
}
