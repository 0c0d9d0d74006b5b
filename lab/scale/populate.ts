/** Fills a database with the tenants of many developers. */
import { request } from 'undici'
import { spreadOf } from '../../bench/figures.ts'
import { createWebhook } from '../../bench/processes/webhooks.ts'
import type { Database } from './processes/database.ts'
import type { TenantAccess } from './processes/replica-child.ts'
import { startReplica } from './processes/replica.ts'

export interface Populated {
  readonly all: readonly TenantAccess[]
  /** Duration of the creation. */
  readonly seconds: number
  /** Size of the database afterwards, in MiB. */
  readonly database: number
  /** Median time to create another tenant over the control plane, in ms. */
  readonly oneMore: number
}

const mebibyte = 2 ** 20

/** Creates tenants in a temporary replica; every `webhook.every`-th has a webhook. */
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

/** Creates and deletes tenants over the control plane; returns the median time of a creation. */
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
    if (created.statusCode !== 201) throw new Error(`could not create a tenant: status ${created.statusCode}`)
    await (await request(`${url}/_sim/v1/tenants/${id}`, { method: 'DELETE' })).body.dump()
  }
  return spreadOf(times).median
}
