/** Two tenants of one simulator, each with one of everything that has an id. */
import { randomUUID } from 'node:crypto'
import { controlRoutes } from '../../simulator/control/routes.ts'
import { createSimulator, type Simulator, type Tenant } from '../../simulator/index.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'

const nobody = (): never => {
  throw new Error('nobody asks')
}
/** Every route of the control plane; to be read, as nothing answers by them. */
export const controlPlane = controlRoutes({
  tenant: { id: 'none', identifiers: contractIdentifiers },
  tenants: [],
  createTenant: nobody,
  removeTenant: nobody,
})

/** Whose request it is: an API key, a signed-in user, a key of the older variant, the control plane. */
export type Voice = 'key' | 'session' | 'older' | 'control'

export interface Sent {
  /** `GET /path`. */
  readonly to: string
  readonly as: Voice
  readonly body?: object
  /** Idempotency key. Default: a fresh one. */
  readonly key?: string
}

export interface Received {
  readonly status: number
  readonly text: string
}

/** Ids of things of one tenant. */
export interface Ids {
  readonly agentId: string
  readonly workflowId: string
  readonly conversationId: string
  readonly menuId: string
  readonly olderId: string
  readonly webhookId: string
  readonly deliveryId: string
  readonly taskId: string
  readonly approvalId: string
  readonly uploadId: string
  readonly sheetId: string
  readonly interaction: object
  readonly accountId: string
  readonly barrierId: string
  readonly handle: string
  readonly tenantId: string
}

export interface TwoTenants {
  readonly simulator: Simulator
  /** A tenant of its own, with one of everything. */
  open(seed: string): Promise<Furnished>
}

export interface Furnished {
  readonly tenant: Tenant
  readonly ids: Ids
}

export async function openTwoTenants(): Promise<TwoTenants> {
  const simulator = await createSimulator()
  const open = async (seed: string): Promise<Furnished> => {
    const tenant = simulator.createTenant({
      seed,
      clock: { mode: 'frozen', at: 0 },
      legacy: true,
      unlimited: true,
    })
    return { tenant, ids: await furnish(tenant) }
  }
  return { simulator, open }
}

export async function ask(
  { url, keys, sessions, olderKeys }: Tenant,
  { to, as, body, key }: Sent,
): Promise<Received> {
  const [method = '', path = ''] = to.split(' ')
  const credentials: Record<Voice, Record<string, string>> = {
    key: { authorization: `Bearer ${keys.main}` },
    session: { cookie: `session=${sessions.main}` },
    older: { authorization: `Bearer ${olderKeys.plain}` },
    control: {},
  }
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...credentials[as],
      ...(body && { 'content-type': 'application/json' }),
      'idempotency-key': key ?? randomUUID(),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Pauses an agent over the control plane; gives the handle that ends it. */
export async function pause(tenant: Tenant, agentId: string): Promise<string> {
  const to = `POST /_sim/v1/tenants/${tenant.id}/states/chat.paused`
  const { text } = await ask(tenant, { to, as: 'control', body: { agentId } })
  return (JSON.parse(text) as { handle: string }).handle
}

/** Makes one of everything. */
async function furnish(tenant: Tenant): Promise<Ids> {
  const { agents, barriers, state } = tenant
  const say = async (sent: Sent): Promise<Record<string, unknown>> => {
    const { status, text } = await ask(tenant, sent)
    if (status >= 300) throw new Error(`${sent.to} was answered ${status}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const id = (body: Record<string, unknown>, member: string): string => String(body[member])
  const run = (operation: string, input: object) =>
    say({ to: `POST /api/v1/operation-executions/${operation}`, as: 'key', body: { input } })

  const turn = await say({
    to: `POST /api/v1/chat/${agents.plain}`,
    as: 'key',
    body: { message: 'a secret of this tenant' },
  })
  const menu = await say({ to: `POST /api/v1/chat/${agents.workflow}`, as: 'key', body: { message: 'menu' } })
  const older = await say({
    to: `POST /v1/agents/${agents.plain}/chat`,
    as: 'older',
    body: { message: 'hello' },
  })
  const webhook = await say({
    to: `POST /api/agents/${agents.plain}/webhooks`,
    as: 'session',
    body: { name: 'Hook', endpoint_url: 'http://localhost:9/', events: ['leads.submit'] },
  })
  const [deliveryId = ''] = tenant.emit('leads.submit')
  const prepare = async (kind: string, fileName: string, contentType: string): Promise<string> => {
    const body = { fileName, contentType, size: 5 }
    const receipt = await say({ to: `POST /api/v1/uploads/${kind}/prepare`, as: 'key', body })
    return id((receipt['data'] ?? {}) as Record<string, unknown>, 'uploadId')
  }
  return {
    agentId: agents.plain,
    workflowId: agents.workflow,
    menuId: id(menu, 'conversation_id'),
    conversationId: id(turn, 'conversation_id'),
    olderId: id(older, 'conversation_id'),
    webhookId: id(webhook, 'id'),
    deliveryId,
    taskId: id(await run('reports.build', { period: '2030-01' }), 'task_id'),
    approvalId: id(await run('customers.erase', { customerId: 'cus_1001', reason: 'law' }), 'approval_id'),
    uploadId: await prepare('documents', 'faq.txt', 'text/plain'),
    sheetId: await prepare('spreadsheets', 'prices.csv', 'text/csv'),
    interaction: firstButton(menu),
    accountId: [...state.accounts.keys()][0] ?? '',
    barrierId: barriers.hold({ at: 'before-run', key: 'nobody' }).id,
    handle: await pause(tenant, agents.slow),
    tenantId: tenant.id,
  }
}

/** The first object within that has what an interaction has. */
function firstButton(value: unknown): object {
  const open: unknown[] = [value]
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue
    if ('runId' in one && 'nodeId' in one && 'payload' in one) return one
    open.push(...(Object.values(one) as unknown[]))
  }
  throw new Error('There is no button in the answer.')
}
