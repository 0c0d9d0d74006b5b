/** Bytes in the database for each kind of document of a tenant. */
import { request } from 'undici'
import { startChild } from '../../bench/processes/child.ts'
import { withAutoStop } from '../../bench/processes/auto-stop.ts'
import { createWebhook } from '../../bench/processes/webhooks.ts'
import { startDatabase } from './processes/database.ts'
import type { FigureName } from './figures.ts'
import { startStressLoader } from './processes/loader.ts'
import type { TenantAccess } from './processes/replica-child.ts'
import { startReplica } from './processes/replica.ts'

const [tenants, turns, runs] = [40, 2_000, 200]

const figureOf: Readonly<Record<string, FigureName>> = {
  key: 'key, stored',
  conversation: 'conversation, stored',
  delivery: 'delivery, stored',
  webhook: 'webhook, stored',
  run: 'run, stored',
}

async function run(url: string, { key }: TenantAccess, number: number): Promise<void> {
  const answer = await request(`${url}/api/v1/operation-executions/notes.create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `run-${number}`,
    },
    body: JSON.stringify({ input: { text: `Call number ${number} back.`, priority: 'high' } }),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300)
    throw new Error(`an operation failed with status ${answer.statusCode}: ${text}`)
}

export function rows(): Promise<Partial<Record<FigureName, number>>> {
  return withAutoStop(async (autoStop) => {
    const database = await autoStop(startDatabase())
    const loader = await autoStop(startStressLoader())
    const receiver = await autoStop(startChild<number>('bench/processes/receiver-child.ts'))
    const replica = await autoStop(startReplica({ store: database.url }))
    const made = await replica.make(tenants)
    const url = `http://127.0.0.1:${replica.port}`
    for (const access of made)
      await createWebhook({ url, ...access }, `http://localhost:${receiver.ready}/`, ['message.sent'])
    await loader.use(made)
    await loader.stress({ ports: [replica.port], until: { turns } })
    for (let number = 0; number < runs; number += 1) {
      const access = made[number % tenants]
      if (access) await run(url, access, number)
    }
    while ((await replica.status()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    const kinds = await database.kinds()
    const bulk = await database.bulk()
    const found = kinds.flatMap(({ kind, bytes }) => {
      const name = figureOf[kind]
      return name ? [[name, bytes] as const] : []
    })
    return { ...Object.fromEntries(found), 'index, stored': bulk.index / bulk.rows }
  })
}
