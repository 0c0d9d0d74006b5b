import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openManager, plainFields, type Manager } from '../../testing/management.testkit.ts'

let manager: Manager
const make = (fields = {}) => manager.create(fields)
const manage: Manager['manage'] = (...call) => manager.manage(...call)

beforeAll(async () => void (manager = await openManager({ seed: 'management' })))
afterEach(() => manager.simulator.tenant.reset())
afterAll(() => manager.simulator.close())

test('a webhook is one of a hundred at most', async () => {
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

test('a webhook that points to its own test route does not cause further deliveries', async () => {
  const { tenant, port } = manager.simulator
  const { id } = await make()
  const path = `/api/agents/${tenant.agents.plain}/webhooks/${id}/test`
  await manage('PATCH', `/${id}`, {
    endpoint_url: `http://localhost:${port}${path}`,
    custom_headers: { Cookie: `session=${tenant.sessions.main}` },
  })
  expect(await manage('POST', `/${id}/test`)).toMatchObject({ status: 200 })
  await tenant.clock.advance(60_000)
  const statuses = tenant.deliveries(id).map(({ attempts }) => attempts.map(({ status }) => status))
  expect(statuses).toEqual([[403, 403, 403]])
})
