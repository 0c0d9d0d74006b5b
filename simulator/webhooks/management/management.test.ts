import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isObject, type JsonObject } from '../../json.ts'
import { openManager, plainFields, type How, type Managed, type Manager } from './management.testkit.ts'

let manager: Manager
const make = (fields = {}) => manager.create(fields)
const manage: Manager['manage'] = (...call) => manager.manage(...call)

beforeAll(async () => void (manager = await openManager({ seed: 'management' })))
afterEach(() => manager.simulator.tenant.reset())
afterAll(() => manager.simulator.close())

const listed = async (how: How = {}) => {
  const { body } = await manage('GET', '', undefined, how)
  return Array.isArray(body['webhooks']) ? body['webhooks'].filter(isObject) : []
}

describe('a webhook', () => {
  const full = { ...plainFields, description: 'To the order team.', custom_headers: { 'X-Team': 'orders' } }

  test('is created with a secret of its own and listed as it was given', async () => {
    const one = await make(full)
    const two = await make(full)
    expect(one).toMatchObject({ status: 201, contentType: 'application/json; charset=utf-8', body: full })
    expect(one.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect(new Set([one.id, two.id, one.secret, two.secret]).size).toBe(4)
    expect(await listed()).toEqual([
      {
        id: one.id,
        ...full,
        is_active: true,
        secret_key_preview: `****${one.secret.slice(-4)}`,
        created_at: new Date(manager.simulator.tenant.clock.now()).toISOString(),
      },
      expect.objectContaining({ id: two.id }),
    ])
  })

  test('has a description only where one was given', async () => {
    await make()
    expect((await listed())[0]).not.toHaveProperty('description')
  })

  test('belongs to one agent', async () => {
    const { id } = await make()
    expect(await listed({ agent: 'second' })).toEqual([])
    expect(await manage('DELETE', `/${id}`, undefined, { agent: 'second' })).toMatchObject({ status: 404 })
    expect(await listed()).toHaveLength(1)
  })

  test.for([
    ['name', 'Leads'],
    ['endpoint_url', 'https://other.example.org/'],
    ['events', ['payment.verified']],
    ['custom_headers', { 'X-New': '1' }],
  ] as const)('keeps everything but %s when that is changed', async ([member, value]) => {
    const { id, secret } = await make(full)
    const [before] = await listed()
    const changed = await manage('PATCH', `/${id}`, { [member]: value })
    expect(changed).toMatchObject({ status: 200, body: { ...before, [member]: value } })
    expect(changed.text).not.toContain(secret)
    expect(await listed()).toEqual([{ ...before, [member]: value }])
    expect(manager.simulator.tenant.state.webhooks.get(id)?.secret).toBe(secret)
  })

  test('stays as it was after a change that was refused', async () => {
    const { id } = await make(full)
    const before = await listed()
    expect(await manage('PATCH', `/${id}`, { name: 'New', events: ['no.such'] })).toMatchObject({
      status: 400,
    })
    expect(await listed()).toEqual(before)
  })

  test('is gone once it was removed, and its deliveries are dropped', async () => {
    const { id } = await make()
    expect(await manage('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await listed()).toEqual([])
    expect(manager.simulator.tenant.emit('leads.submit')).toEqual([])
    expect(await manage('DELETE', `/${id}`)).toMatchObject({ status: 404 })
  })

  test('is one of a hundred at most', async () => {
    const { rules } = manager.simulator.tenant.state
    rules.webhooksPerAgent = 2
    await make()
    await make()
    expect(await make()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('2 webhooks') },
    })
    expect(await manage('POST', '', plainFields, { agent: 'second' })).toMatchObject({ status: 201 })
  })
})

test('the webhooks of an agent have 512 KiB in all at most, so that their list can be sent', async () => {
  const large = { custom_headers: { 'X-A': 'v'.repeat(8_000), 'X-B': 'v'.repeat(8_000) } }
  const statuses: number[] = []
  while (statuses.length < 50 && statuses.at(-1) !== 400) statuses.push((await make(large)).status)
  expect(statuses.length).toBe(33)
  const { id } = await make()
  const refusal = { status: 400, body: { message: expect.stringContaining('524288 are the most') } }
  expect(await manage('PATCH', `/${id}`, large)).toMatchObject(refusal)
  expect((await manage('GET')).text.length).toBeLessThan(600_000)
})

/** Each route at a webhook that is there. */
const routes: readonly [title: string, method: string, path: (id: string) => string, body?: JsonObject][] = [
  ['create', 'POST', () => '', plainFields],
  ['list', 'GET', () => ''],
  ['update', 'PATCH', (id) => `/${id}`, { name: 'Changed' }],
  ['delete', 'DELETE', (id) => `/${id}`],
  ['test', 'POST', (id) => `/${id}/test`],
  ['logs', 'GET', (id) => `/${id}/logs`],
]

describe.for(routes)('%s', ([, method, path, body]) => {
  const refused = async (how: How, id?: string): Promise<Managed> => {
    const { id: mine } = await make()
    const before = await listed()
    const answer = await manage(method, path(id ?? mine), body, how)
    expect(answer.body['error']).toEqual(expect.any(String))
    expect(await listed()).toEqual(before)
    return answer
  }
  const sessions = () => manager.simulator.tenant.sessions
  const keys = () => manager.simulator.tenant.keys

  test('refuses whoever is not signed in, and changes nothing', async () => {
    const nobodies: readonly How['credentials'][] = [
      {},
      { cookie: 'session=' },
      { cookie: 'session=sess_nobody' },
      { cookie: `other=${sessions().main}` },
      { authorization: `Bearer ${sessions().main}` },
      { authorization: `Bearer ${keys().revoked}` },
      { authorization: 'Bearer sk-unknown' },
      { authorization: `Bearer ${keys().main}` },
    ]
    for (const credentials of nobodies)
      expect(await refused({ credentials: credentials ?? {} })).toMatchObject({ status: 401 })
  })

  test('knows no agent of another account', async () => {
    const other = { cookie: `session=${sessions().other}` }
    expect(await refused({ credentials: other })).toMatchObject({ status: 404 })
    expect(await refused({ agent: 'foreign' })).toMatchObject({ status: 404 })
  })

  test('refuses a plan without webhook settings', async () => {
    const { tenant } = manager.simulator
    const { id } = await make()
    tenant.setPlan('main', 'starter')
    const answer = await manage(method, path(id), body)
    expect(answer).toMatchObject({ status: 403, body: { error: 'PLAN_REQUIRED' } })
    tenant.setPlan('main', 'trial')
    expect(await manage('GET')).toMatchObject({ status: 200 })
  })

  test('knows no webhook that is not there', async () => {
    if (path('x') === '') return
    for (const id of ['wh_none', '__proto__', 'constructor', '%00'])
      expect(await refused({}, id)).toMatchObject({ status: 404 })
  })
})

test('the journal has neither a session token nor a secret', async () => {
  const { id, secret } = await make()
  await manage('GET', '', undefined, { credentials: { 'x-odd': manager.simulator.tenant.sessions.main } })
  await manage('GET', `?token=${manager.simulator.tenant.sessions.main}`)
  const entries = manager.simulator.tenant.journal.entries()
  const kept = entries.map(({ path, headers, response }) =>
    JSON.stringify([path, headers, response.map(({ bytes }) => Buffer.from(bytes).toString())]),
  )
  expect(kept.join('\n')).toContain(id)
  expect(kept.join('\n')).not.toContain(secret)
  expect(kept.join('\n')).not.toContain(manager.simulator.tenant.sessions.main)
})

test('a session chooses its tenant', async () => {
  const other = manager.simulator.createTenant({ seed: 'other tenant' })
  const answer = await fetch(`${manager.simulator.url}/api/agents/${other.agents.plain}/webhooks`, {
    headers: { cookie: `session=${other.sessions.main}` },
  })
  expect(answer.status).toBe(200)
  other.close()
})
