/** Tenants of many developers, as they stand in a database before any of them is at work. */
import { request } from 'undici'
import { spreadOf } from '../../bench/figures.ts'
import { createWebhook } from '../../bench/webhooks.ts'
import type { Database } from './database.ts'
import type { Access } from './replica-child.ts'
import { startReplica } from './replica.ts'

export interface Populated {
  readonly all: readonly Access[]
  /** How long it took to make them. */
  readonly seconds: number
  /** MiB of everything in the database then. */
  readonly database: number
  /** How long the control plane took for one more, in ms. */
  readonly oneMore: number
}

const mebibyte = 2 ** 20

/** Made by a replica that is gone afterwards; one in so many has a webhook. */
export async function populate(
  database: Database,
  tenants: number,
  webhook: { endpoint: string; every: number },
): Promise<Populated> {
  const maker = await startReplica({ store: database.url, idleMs: 5_000 })
  try {
    const began = performance.now()
    const all = await maker.make(tenants)
    const seconds = (performance.now() - began) / 1_000
    const url = `http://127.0.0.1:${maker.port}`
    for (const access of all.filter((_, at) => at % webhook.every === 0))
      await createWebhook({ url, ...access }, webhook.endpoint, ['message.sent'])
    const oneMore = await makeOneMore(url)
    await maker.close()
    return { all, seconds, database: (await database.bulk()).size / mebibyte, oneMore }
  } finally {
    await maker.stop()
  }
}

/** Over the control plane, again and again; each is deleted afterwards. */
async function makeOneMore(url: string): Promise<number> {
  const times: number[] = []
  for (let left = 9; left > 0; left -= 1) {
    const began = performance.now()
    const created = await request(`${url}/_sim/v1/tenants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const { id = '' } = (await created.body.json()) as { id?: string }
    times.push(performance.now() - began)
    if (created.statusCode !== 201) throw new Error(`a tenant was refused with ${created.statusCode}`)
    await (await request(`${url}/_sim/v1/tenants/${id}`, { method: 'DELETE' })).body.dump()
  }
  return spreadOf(times).median
}
