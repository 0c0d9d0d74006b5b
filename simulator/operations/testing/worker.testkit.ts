/** Somebody who works with operations of a tenant, without a socket. */
import { presentValues, type Call } from '../../server/call.ts'
import { createRouter } from '../../server/route.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { operationRoutes } from '../routes/routes.ts'
import { samples } from './samples.testkit.ts'
import type { Tenant } from '../../tenant.ts'

/** What is asked with which key; `input`: default a sample that fits. */
export interface Worker {
  /** Body of the answer. */
  readonly ask: (method: string, path: string, body?: Json, key?: string) => Promise<JsonObject>
  /** A receipt. */
  readonly run: (operation: string, key?: string, input?: JsonObject) => Promise<JsonObject>
  /** Prepares and finalizes with two keys made of one; the receipt of the second step. */
  readonly upload: (kind: 'document' | 'spreadsheet', key: string) => Promise<JsonObject>
  readonly prepare: (kind: 'document' | 'spreadsheet', key: string) => Promise<JsonObject>
  /** `data.count` of a read. */
  readonly count: (operation: string) => Promise<Json>
}

const router = createRouter([], operationRoutes)
const files = {
  document: { fileName: 'faq.txt', contentType: 'text/plain', size: 5 },
  spreadsheet: { fileName: 'prices.csv', contentType: 'text/csv', size: 5 },
} as const
const bytes = Buffer.from('hello').toString('base64')

const memberOf = (value: Json | undefined, name: string): Json =>
  isObject(value) ? (value[name] ?? null) : null

export function workerIn(tenant: Tenant): Worker {
  const inputs = samples(tenant.agents.plain)
  let calls = 0
  const ask: Worker['ask'] = async (method, path, body, key = `own ${++calls}`) => {
    const { state } = tenant
    const found = router.find(method, path, state)
    if (found.is !== 'service') throw new Error(`There is no route ${method} ${path}.`)
    const call: Call = {
      id: ++calls,
      connection: 1,
      server: 1,
      method,
      path,
      params: found.params,
      headers: [
        ['Authorization', `Bearer ${tenant.keys.main}`],
        ['Idempotency-Key', key],
      ],
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      client: presentValues,
    }
    const reply = await found.route.handle(state, call)
    return reply.kind === 'json' && isObject(reply.body) ? reply.body : {}
  }
  const run: Worker['run'] = (operation, key, input = inputs[operation] ?? {}) =>
    ask('POST', `/api/v1/operation-executions/${operation}`, { input }, key)
  const prepare: Worker['prepare'] = (kind, key) =>
    ask('POST', `/api/v1/uploads/${kind}s/prepare`, files[kind], `${key} prepare`)
  return {
    ask,
    run,
    prepare,
    upload: async (kind, key) => {
      const uploadId = memberOf((await prepare(kind, key))['data'], 'uploadId')
      return ask('POST', `/api/v1/uploads/${kind}s/finalize`, { uploadId, bytes }, `${key} finalize`)
    },
    count: async (operation) => memberOf((await run(operation))['data'], 'count'),
  }
}
