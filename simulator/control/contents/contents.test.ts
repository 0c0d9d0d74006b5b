import { afterAll, beforeAll, expect, test } from 'vitest'
import { misfits, type ControlSchema } from '../../testing/answer.testkit.ts'
import { openProject, textAt, type Project } from '../../testing/project.testkit.ts'
import { samples } from '../../testing/samples.testkit.ts'

let project: Project
let turn: (key: string) => Promise<unknown>
let call: (place: string, init?: RequestInit) => Promise<{ status: number; body: unknown }>
/** The body, which has the shape of this schema. */
let read: (place: string, schema: ControlSchema, init?: RequestInit) => Promise<unknown>

beforeAll(async () => {
  project = await openProject({ clock: { mode: 'frozen', at: 0 } })
  const { tenant, url } = project.simulator
  turn = (key) => project.ask('POST', `/chat/${tenant.agents.plain}`, { message: 'Hello' }, { key })
  call = async (place, init) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/_sim/v1/tenants/${tenant.id}${place}`, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  read = async (place, schema, init) => {
    const { body } = await call(place, init)
    const wrong = misfits(schema, body)
    if (wrong) throw new Error(JSON.stringify(wrong))
    return body
  }
})
afterAll(() => project.simulator.close())

test('keys in every state, and the turn that a barrier holds', async () => {
  const { tenant } = project.simulator
  await turn('done')
  await turn('done')
  tenant.markUncertain({ key: 'unknown' })
  const barrier = tenant.barriers.hold({ at: 'before-commit', key: 'held' })
  const held = turn('held')
  await barrier.reached()
  await turn('held')
  expect(await read('/keys', 'KeyList')).toMatchObject({
    keys: [
      { key: 'done', state: 'completed', replays: 1, creditsUsed: 1, since: '1970-01-01T00:00:00.000Z' },
      { key: 'unknown', state: 'uncertain' },
      { key: 'held', state: 'in-flight', duplicates: 1 },
    ],
    left: 0,
  })
  expect(await read('/keys?limit=1', 'KeyList')).toMatchObject({ keys: [{ key: 'held' }], left: 2 })
  expect(await read('/turns', 'TurnList')).toMatchObject({ turns: [{ key: 'held', barrierId: barrier.id }] })
  barrier.release()
  await held
  expect(await read('/turns', 'TurnList')).toEqual({ turns: [] })
})

test('a key that is unique within an API key does not show the API key', async () => {
  const { tenant } = project.simulator
  tenant.setModifications({ interpretations: { 'GAP-KEY-SCOPE': 'api-key' } })
  await turn('scoped')
  const text = JSON.stringify(await read('/keys', 'KeyList'))
  expect(text).toContain('scoped')
  expect(text).not.toContain(tenant.keys.main)
  tenant.setModifications({})
})

test('webhooks, what they wait for, and uploads', async () => {
  const { tenant, url } = project.simulator
  const made = await fetch(`${url}/api/agents/${tenant.agents.plain}/webhooks`, {
    method: 'POST',
    headers: { cookie: `session=${tenant.sessions.main}` },
    body: JSON.stringify({
      name: 'Hook',
      endpoint_url: 'http://localhost:9/',
      events: ['leads.submit'],
      custom_headers: { 'X-A': 'secret-b' },
    }),
  })
  const { id } = (await made.json()) as { id: string }
  const webhook = tenant.state.webhooks.get(id)
  if (!webhook) throw new Error('there is no webhook')
  tenant.state.outbox.pause(webhook)
  tenant.emit('leads.submit')
  const shown = await read('/webhooks', 'OwnedWebhookList')
  expect(shown).toMatchObject({
    webhooks: [
      { id, customHeaders: ['X-A'], isActive: true, pending: 1, pausedUntil: expect.any(String) as string },
    ],
  })
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`secret-b|${webhook.secret}`))
  expect(await read('/deliveries', 'DeliveryList')).toMatchObject({
    deliveries: [{ state: 'waiting', agentId: tenant.agents.plain, payload: expect.any(Object) as object }],
  })
  const file = { fileName: 'prices.csv', contentType: 'text/csv', size: 12 }
  await project.ask('POST', '/uploads/spreadsheets/prepare', file, { key: 'prices' })
  const prices = { kind: 'spreadsheet', fileName: 'prices.csv', size: 12, stored: false }
  expect(await read('/uploads', 'UploadList')).toMatchObject({ uploads: [prices] })
  tenant.lapseUpload({ key: 'prices' })
  expect(await read('/uploads', 'UploadList')).toMatchObject({
    uploads: [{ ...prices, preparedAt: '0000-01-01T00:00:00.000Z' }],
  })
})

const posted = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
/** A receipt of a fresh run with the sample. */
const began = (operation: string) =>
  project.run(operation, samples(project.simulator.tenant.agents.plain)[operation] ?? {})

test('an owner decides once', async () => {
  const id = textAt(await began('customers.erase'), 'approval_id')
  const decided = await read(`/approvals/${id}`, 'ApprovalState', posted({ decision: 'approved' }))
  expect(decided).toMatchObject({ id, operation: 'customers.erase', state: 'approved' })
  const error = expect.stringContaining('approved already') as string
  const again = await call(`/approvals/${id}`, posted({ decision: 'rejected' }))
  expect(again).toMatchObject({ status: 409, body: { error } })
  expect(await project.approval(id)).toMatchObject({ body: { state: 'approved' } })
  const approvals = [{ id, state: 'approved' }]
  expect(await read('/approvals', 'ApprovalList')).toMatchObject({ approvals })
})

test('an owner brings a task on, step by step, until it is final', async () => {
  project.simulator.tenant.setTaskPace({ by: 'hand' })
  const id = textAt(await began('calendar.connect'), 'task_id')
  const seen = []
  for (const step of ['next', 'next', 'next', 'input', 'next']) {
    await read(`/tasks/${id}`, 'OwnedTask', posted({ step }))
    seen.push(textAt(await project.task(id), 'state'))
  }
  expect(seen).toEqual(['running', 'input_required', 'input_required', 'running', 'completed'])
  expect((await call(`/tasks/${id}`, posted({ step: 'next' }))).status).toBe(409)
  await read('/tasks', 'TaskList')
})
