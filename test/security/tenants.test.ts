/** What one tenant has, another cannot even find out to be there; by every route that there is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { services } from '../../simulator/services.ts'
import {
  ask,
  controlPlane,
  openTwoTenants,
  pause,
  type Furnished,
  type Received,
  type Ids,
  type Sent,
  type TwoTenants,
} from './two-tenants.ts'

/** A request about things with these ids; `own`: those of whoever asks, for what has to be right besides. */
type Case = (ids: Ids, own: Ids) => Omit<Sent, 'to'> & { params?: Record<string, string>; query?: string }

const hook = { name: 'Hook', endpoint_url: 'http://localhost:9/', events: ['leads.submit'] }
const bytes = Buffer.from('hello').toString('base64')

const turn: Case = ({ agentId }) => ({ as: 'key', params: { agentId }, body: { message: 'hello' } })
const further: Case = ({ conversationId }, { agentId }) => ({
  as: 'key',
  params: { agentId },
  body: { message: 'hello', conversation_id: conversationId },
})
const press: Case = ({ interaction }, { workflowId, menuId }) => ({
  as: 'key',
  params: { agentId: workflowId },
  body: { message: 'press', conversation_id: menuId, interaction },
})

const atAgent =
  (body?: object): Case =>
  ({ agentId }) => ({ as: 'session', params: { agentId }, ...(body && { body }) })

/** At the agent that it belongs to, and at one's own. */
const atWebhook = (body?: object): readonly Case[] => [
  ({ agentId, webhookId }) => ({ as: 'session', params: { agentId, webhookId }, ...(body && { body }) }),
  ({ webhookId }, { agentId }) => ({ as: 'session', params: { agentId, webhookId }, ...(body && { body }) }),
]

const execution =
  (operationId: string, input: object = {}): Case =>
  ({ agentId }) => ({ as: 'key', params: { operationId }, body: { input: { agentId, ...input } } })

const finalize: Case = ({ uploadId }) => ({ as: 'key', body: { uploadId, bytes } })

/** Routes whose requests can name nothing of a tenant. */
const nameless: readonly string[] = [
  'GET /api/v1/operations',
  'GET /api/v1/billing/usage',
  'GET /api/v1/billing/subscription',
  'GET /api/v1/billing/plans',
  'GET /api/v1/billing/invoices',
  'GET /api/v1/agents',
  'POST /api/v1/uploads/documents/prepare',
  'POST /api/v1/uploads/spreadsheets/prepare',
  'POST /api/v1/uploads/documents',
  'POST /api/v1/uploads/spreadsheets',
]

const serviceCases: Readonly<Record<string, readonly Case[]>> = {
  'POST /api/v1/chat/:agentId': [turn, further, press],
  'POST /api/agents/:agentId/webhooks': [atAgent(hook)],
  'GET /api/agents/:agentId/webhooks': [atAgent()],
  'PATCH /api/agents/:agentId/webhooks/:webhookId': atWebhook({ name: 'Mine now' }),
  'DELETE /api/agents/:agentId/webhooks/:webhookId': atWebhook(),
  'POST /api/agents/:agentId/webhooks/:webhookId/test': atWebhook(),
  'GET /api/agents/:agentId/webhooks/:webhookId/logs': atWebhook(),
  'POST /api/v1/operation-executions/:operationId': [
    execution('agent_setup.inspect'),
    execution('calendar.connect', { provider: 'caldav', url: 'https://calendar.example.org/' }),
  ],
  'GET /api/v1/tasks/:taskId': [({ taskId }) => ({ as: 'key', params: { taskId } })],
  'GET /api/v1/approvals/:approvalId': [({ approvalId }) => ({ as: 'key', params: { approvalId } })],
  'POST /api/v1/uploads/documents/finalize': [finalize],
  'POST /api/v1/uploads/spreadsheets/finalize': [
    ({ sheetId }) => ({ as: 'key', body: { uploadId: sheetId, bytes } }),
  ],
  'POST /v1/agents/:agent_id/chat': [
    ({ agentId }) => ({ as: 'older', params: { agent_id: agentId }, body: { message: 'hello' } }),
    ({ olderId }, { agentId }) => ({
      as: 'older',
      params: { agent_id: agentId },
      body: { message: 'hello', conversation_id: olderId },
    }),
  ],
  'GET /v1/conversations/:conversation_id': [
    ({ olderId }) => ({ as: 'older', params: { conversation_id: olderId } }),
  ],
}

/** Below the tenant of whoever asks. */
const inTenant =
  (of: (ids: Ids) => { params?: Record<string, string>; query?: string; body?: object }): Case =>
  (ids, { tenantId }) => {
    const { params = {}, ...rest } = of(ids)
    return { as: 'control', params: { tenantId, ...params }, ...rest }
  }

const base = '/_sim/v1/tenants/:tenantId'
/** Of the control plane, the routes that can name more than a tenant. */
const controlCases: Readonly<Record<string, readonly Case[]>> = {
  [`POST ${base}/states/:state`]: [
    inTenant(({ agentId }) => ({ params: { state: 'chat.paused' }, body: { agentId } })),
    inTenant(({ webhookId }) => ({ params: { state: 'webhook.inactive' }, body: { webhookId } })),
    inTenant(({ approvalId }) => ({ params: { state: 'approval.approved' }, body: { approvalId } })),
    inTenant(({ taskId }) => ({ params: { state: 'task.finished' }, body: { taskId } })),
  ],
  [`DELETE ${base}/states/:state/:handle`]: [
    inTenant(({ handle }) => ({ params: { state: 'chat.paused', handle } })),
  ],
  [`PATCH ${base}/agents/:agentId`]: [
    inTenant(({ agentId }) => ({ params: { agentId }, body: { paused: true } })),
  ],
  [`PATCH ${base}/accounts/:accountId`]: [
    inTenant(({ accountId }) => ({ params: { accountId }, body: { credits: 0 } })),
  ],
  [`POST ${base}/failures`]: [inTenant(({ agentId }) => ({ body: { status: 503, agentId } }))],
  [`POST ${base}/events`]: [inTenant(({ agentId }) => ({ body: { event: 'leads.submit', agentId } }))],
  [`POST ${base}/deliveries/:deliveryId/again`]: [inTenant(({ deliveryId }) => ({ params: { deliveryId } }))],
  [`GET ${base}/deliveries/:deliveryId/attempts`]: [
    inTenant(({ deliveryId }) => ({ params: { deliveryId } })),
  ],
  [`POST ${base}/approvals/:approvalId`]: [
    inTenant(({ approvalId }) => ({ params: { approvalId }, body: { decision: 'approved' } })),
  ],
  [`POST ${base}/tasks/:taskId`]: [
    inTenant(({ taskId }) => ({ params: { taskId }, body: { step: 'finish' } })),
  ],
  [`GET ${base}/barriers/:barrierId/reached`]: [
    inTenant(({ barrierId }) => ({ params: { barrierId }, query: '?timeoutMs=1' })),
  ],
  [`POST ${base}/barriers/:barrierId/release`]: [inTenant(({ barrierId }) => ({ params: { barrierId } }))],
  [`POST ${base}/barriers/:barrierId/crash`]: [inTenant(({ barrierId }) => ({ params: { barrierId } }))],
}

/** Those that name a tenant and nothing of what is in it, a filter that is not looked up, or a name chosen in the tenant. */
const wide = `
  GET, PATCH, DELETE, POST /reset, GET /clock, PUT /clock, POST /clock/advance, PUT /reply-rules,
  POST /situations/:situation, POST /network-faults, DELETE /network-faults, DELETE /failures, GET /deliveries, GET /approvals, GET /tasks,
  POST /uploads/lapse, POST /barriers, GET /barriers, GET /journal, GET /journal/wait, GET /journal/events,
  GET /credentials, GET /reply-rules, GET /network-faults, GET /failures, GET /keys, GET /turns, GET /webhooks, GET /uploads,
  GET /snapshot, PUT /snapshot, GET /snapshots, GET /snapshots/:name, PUT /snapshots/:name, DELETE /snapshots/:name,
  POST /snapshots/:name/restore`
  .split(',')
  .map((routeText) => routeText.trim().replace(/ |$/, ` ${base}`))
const ofNoTenant = [
  'GET /_sim/:document',
  'GET /_sim/v1/tenants',
  'POST /_sim/v1/tenants',
  ...['faults', 'variants', 'situations', 'interpretations'].map((name) => `GET /_sim/v1/${name}`),
]

const routeText = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

test('there is a case for every route, and none for any other', () => {
  const known = [...Object.keys(serviceCases), ...nameless]
  expect(known.sort()).toEqual(services.map(routeText).sort())
  expect([...Object.keys(controlCases), ...wide, ...ofNoTenant].sort()).toEqual(
    controlPlane.map(routeText).sort(),
  )
})

/** An id of the same make that nobody has. */
function another(id: string): string {
  const last = id.at(-1) ?? ''
  return id.slice(0, -1) + (/\d/.test(last) ? String((Number(last) + 5) % 10) : last === 'a' ? 'b' : 'a')
}

const nowhere = (ids: Ids): Ids =>
  JSON.parse(JSON.stringify(ids), (name, value: unknown) =>
    typeof value === 'string' && name !== 'type' && name !== 'label' ? another(value) : value,
  ) as Ids

/** With every id, of whichever tenant, written alike. */
const alike = ({ status, text }: Received, ...known: readonly Ids[]): Received => {
  const texts = known.flatMap((ids) => Object.values(ids).filter((value) => typeof value === 'string'))
  return { status, text: texts.reduce((reported, id) => reported.replaceAll(id, 'ID'), text) }
}

let states: TwoTenants
let mine: Furnished
let theirs: Furnished
beforeAll(async () => {
  states = await openTwoTenants()
  mine = await states.open('mine')
  const { tenant, ids } = await states.open('theirs')
  // Barriers and handles are numbered in each tenant: of the second ones, this tenant has none.
  const { id: barrierId } = tenant.barriers.hold({ at: 'before-run', key: 'nobody' })
  theirs = { tenant, ids: { ...ids, barrierId, handle: await pause(tenant, tenant.agents.gate) } }
})
afterAll(() => states.simulator.close())

function send(from: Furnished, route: string, made: Case, ids: Ids): Promise<Received> {
  const { params = {}, query = '', ...rest } = made(ids, from.ids)
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'missing'))
  return ask(from.tenant, { to: path + query, ...rest })
}

/** Everything that the control plane shows of a tenant. */
async function reported({ tenant }: Furnished): Promise<readonly string[]> {
  const names = 'clock deliveries approvals tasks barriers journal keys webhooks uploads failures'
  const places = ['', ...names.split(' ').map((name) => `/${name}`)]
  const answers = places.map((place) =>
    ask(tenant, { to: `GET /_sim/v1/tenants/${tenant.id}${place}`, as: 'control' }),
  )
  return (await Promise.all(answers)).map(({ text }) => text)
}

const all = [...Object.entries(serviceCases), ...Object.entries(controlCases)].flatMap(([route, list]) =>
  list.map((made, index) => [route, index + 1, made] as const),
)

describe('what is of another tenant is answered as what is not there:', () => {
  let before: readonly string[]
  beforeAll(async () => void (before = await reported(theirs)))

  test.for(all)('%s, case %i', async ([route, index, made]) => {
    const refused = await send(mine, route, made, theirs.ids)
    const unknown = await send(mine, route, made, nowhere(theirs.ids))
    expect(alike(refused, theirs.ids)).toEqual(alike(unknown, nowhere(theirs.ids)))
    // Whoever has it is answered otherwise, so that the request is right but for whose it is.
    const owner = await states.open(`owner of ${route} ${index}`)
    const given = await send(owner, route, made, owner.ids)
    expect(given.status, given.text).toBeLessThan(300)
    expect(alike(given, owner.ids)).not.toEqual(alike(refused, theirs.ids))
  })

  test.for(nameless)('and %s shows nothing of another tenant', async (route) => {
    const { text } = await ask(mine.tenant, {
      to: route,
      as: 'key',
      ...(route.startsWith('POST') && { body: {} }),
    })
    expect(Object.values(theirs.ids).filter((id) => typeof id === 'string' && text.includes(id))).toEqual([])
  })

  test('and the other tenant has seen nothing of all that', async () => {
    expect(await reported(theirs)).toEqual(before)
  })
})

test('the same key runs once in each tenant', async () => {
  const turnOf = ({ tenant, ids }: Furnished) =>
    ask(tenant, {
      to: `POST /api/v1/chat/${ids.agentId}`,
      as: 'key',
      key: 'shared',
      body: { message: 'once' },
    })
  const credits = ({ tenant }: Furnished) => tenant.credits('main')
  const before = [credits(mine), credits(theirs)]
  const said = [await turnOf(mine), await turnOf(theirs), await turnOf(mine), await turnOf(theirs)]
  expect(said.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([said[2]?.text, said[3]?.text]).toEqual([said[0]?.text, said[1]?.text])
  expect(said[0]?.text).not.toBe(said[1]?.text)
  expect([credits(mine), credits(theirs)]).toEqual(before.map((sum) => sum - 1))
})

test('an end of one tenant ends nothing in another, and its credentials choose none any more', async () => {
  const gone = await states.open('gone')
  const usage = (from: Furnished) => ask(from.tenant, { to: 'GET /api/v1/billing/usage', as: 'key' })
  expect((await usage(gone)).status).toBe(200)
  gone.tenant.close()
  expect((await usage(gone)).status).toBe(401)
  expect((await usage(theirs)).status).toBe(200)
})
