/** Wherever a client puts a credential, no log and no journal that is read over the network has it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator, type Tenant } from '../../simulator/index.ts'
import { services } from '../../simulator/services.ts'
import { controlPlane } from './two-tenants.ts'

const controlToken = 'the-control-token-of-this-test'
const headerValue = 'the value of a custom header'
const log: string[] = []
let simulator: Simulator
let tenant: Tenant
/** What is never to be seen, by what it is. */
let secrets: Readonly<Record<string, string>>

const json = { 'content-type': 'application/json' }
const asControl = { authorization: `Bearer ${controlToken}` }
const hook = {
  name: 'Hook',
  endpoint_url: 'http://localhost:9/',
  events: ['leads.submit'],
  custom_headers: { 'X-Hook-Key': headerValue },
}

beforeAll(async () => {
  simulator = await createSimulator({
    controlToken,
    log: (line) => void log.push(line),
    routes: [
      {
        method: 'GET',
        path: '/defect',
        handle: () => {
          throw new Error(`It broke over ${Object.values(secrets).join(' and ')}.`)
        },
      },
    ],
  })
  tenant = simulator.createTenant({
    seed: 'secrets',
    clock: { mode: 'frozen', at: 0 },
    legacy: true,
    unlimited: true,
  })
  const { keys, sessions, olderKeys, agents } = tenant
  const answer = await fetch(`${simulator.url}/api/agents/${agents.plain}/webhooks`, {
    method: 'POST',
    headers: { ...json, cookie: `session=${sessions.main}` },
    body: JSON.stringify(hook),
  })
  const { secret_key: webhook = '' } = (await answer.json()) as { secret_key?: string }
  secrets = { key: keys.main, session: sessions.main, older: olderKeys.plain, webhook }
})
afterAll(() => simulator.close())

/** What a request carries where; the rest of it is right for the tenant. */
interface Carried {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: object
  /** In place of an id. */
  readonly id?: string
}

type Place = 'bearer' | 'cookie' | 'another header' | 'query' | 'body' | 'path'
const places: Readonly<Record<Place, (all: string) => Carried>> = {
  bearer: (all) => ({ headers: { authorization: `Bearer ${all}` } }),
  cookie: (all) => ({ headers: { cookie: `session=${all}; theme=${all}` } }),
  'another header': (all) => ({ headers: { 'x-api-key': all, 'idempotency-key': all } }),
  query: (all) => ({ query: `?api_key=${all}` }),
  body: (all) => ({ body: { name: all, message: all, idempotency_key: all, input: { text: all } } }),
  path: (all) => ({ id: all }),
}

async function send(
  method: string,
  path: string,
  { headers, query = '', body, id }: Carried,
): Promise<string> {
  const ids: Record<string, string> = { tenantId: tenant.id, agentId: tenant.agents.plain }
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => id ?? ids[name] ?? 'nothing')
  const own = path.startsWith('/_sim')
    ? asControl
    : path.startsWith('/api/agents')
      ? { cookie: `session=${tenant.sessions.main}` }
      : { authorization: `Bearer ${tenant.keys.main}` }
  const whole = path.startsWith('/api/agents') ? { ...hook, ...body } : body
  const sent = method === 'GET' ? undefined : JSON.stringify(whole ?? {})
  const answer = await fetch(`${simulator.url}${filled}${query}`, {
    method,
    headers: { ...own, ...(sent !== undefined && json), ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  return answer.text()
}

const journalOf = (id: string): Promise<string> => send('GET', `/_sim/v1/tenants/${id}/journal`, {})

/** What ends the tenant, or waits in it, shows nothing here. */
const asked = [...services, ...controlPlane].filter(
  ({ method, path }) => method !== 'DELETE' && !/\/(?:reset|wait|reached|journal\/events)$/.test(path),
)

const found = (text: string, all: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(all)
    .filter(([, secret]) => text.includes(secret))
    .map(([name]) => name)

describe('a credential that is sent in', () => {
  test.for(Object.keys(places) as Place[])('%s is in no line and no entry', async (place) => {
    const before = log.length
    for (const { method, path } of asked)
      for (const secret of [...Object.values(secrets), controlToken])
        await send(method, path, places[place](secret))
    const lines = log.slice(before).join('\n')
    expect(log.length - before).toBe(asked.length * (Object.keys(secrets).length + 1))
    expect(found(lines, { ...secrets, controlToken, headerValue })).toEqual([])
  })

  test('any of these places is in no journal that is read over the control plane', async () => {
    for (const { id } of simulator.tenants)
      expect(found(await journalOf(id), { ...secrets, headerValue })).toEqual([])
    expect(await journalOf(tenant.id)).toContain('X-Hook-Key')
  })
})

test('an error of the simulator itself is logged without them, and reported to nobody', async () => {
  const reported = await send('GET', '/defect', {})
  const line = log.find((one) => one.startsWith('error: '))
  expect(line).toMatch(/It broke over \[redacted\] and \[redacted\]/)
  expect(found(`${line} ${reported}`, secrets)).toEqual([])
  expect(reported).not.toContain('It broke')
})

test('a journal that keeps credentials for its own process gives them to nobody over the network', async () => {
  await using own = await createSimulator({ journalCredentials: 'kept' })
  const { url, tenant: kept } = own
  const bearer = { authorization: `Bearer ${kept.keys.main}` }
  await fetch(`${url}/api/v1/billing/usage?key=${kept.keys.main}`, { headers: bearer })
  expect(kept.journal.entries()[0]?.headers).toContainEqual(['authorization', bearer.authorization])
  const text = await (await fetch(`${url}/_sim/v1/tenants/${kept.id}/journal`)).text()
  expect(found(text, kept.keys)).toEqual([])
})
