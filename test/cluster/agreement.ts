/** Service cases that must work the same through each server, each with its own tenant. */
import { expect } from 'vitest'
import { limits } from '../../spec/index.ts'
import { isObject, type Json, type JsonObject } from '../../simulator/json.ts'
import { isSignedBy, openEndpoint } from './endpoint.ts'
import {
  creditsOf,
  assertSuccess,
  hookTo,
  isReplay,
  textAt,
  type TenantServers,
  type ClusterCase,
  type ReadResponse,
} from './tenant-servers.ts'

/** The first button anywhere in the presentation of a response. */
function buttonIn({ body }: ReadResponse): JsonObject {
  const open: unknown[] = [body['presentation']]
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue
    if (isObject(one) && 'runId' in one && 'nodeId' in one) return one
    open.push(...Object.values(one))
  }
  throw new Error('The response has no button.')
}

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('The list is empty.')
  return one
}

/** Sequential, so that each call sees the effects of the previous one. */
async function throughEachServer<T>(
  { servers }: TenantServers,
  act: (server: TenantServers['front']) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (const server of servers) results.push(await act(server))
  return results
}

async function once(tenant: TenantServers): Promise<void> {
  const { servers, owner, accounts } = tenant
  await using endpoint = await openEndpoint()
  assertSuccess(await owner.webhooks('POST', '', hookTo(endpoint.url, 'message.sent')))
  const before = await creditsOf(owner, accounts.main)
  const requests = [...servers, ...servers, ...servers, ...servers]
  const responses = await Promise.all(requests.map((server) => server.chat({ key: 'once' })))
  const ran = responses.filter((answer) => answer.status === 200 && !isReplay(answer))
  expect(ran).toHaveLength(1)
  for (const answer of responses.filter((one) => one.status !== 200))
    expect(textAt(answer, 'error')).toBe('REQUEST_IN_PROGRESS')
  const replays = await throughEachServer(tenant, (server) => server.chat({ key: 'once' }))
  expect(replays.map((answer) => [answer.status, isReplay(answer), answer.text])).toEqual(
    servers.map(() => [200, true, first(ran).text]),
  )
  const conflicts = await throughEachServer(tenant, (server) =>
    server.chat({ key: 'once', message: 'Another' }),
  )
  expect(conflicts.map((answer) => textAt(answer, 'error'))).toEqual(
    servers.map(() => 'IDEMPOTENCY_CONFLICT'),
  )
  const { credits_used: used } = first(ran).body
  expect(await creditsOf(owner, accounts.main)).toBe(before - Number(used))
  // A further event proves that no other delivery precedes it.
  await owner.control.emit('message.sent')
  await endpoint.came(2)
  expect(new Set(endpoint.arrivals.map(({ deliveryId }) => deliveryId)).size).toBe(2)
  expect(endpoint.arrivals).toHaveLength(2)
}

async function inFlight(tenant: TenantServers): Promise<void> {
  const { owner, other, servers } = tenant
  const barrier = await other.control.barriers.hold({ at: 'before-commit', key: 'held' })
  const held = other.chat({ key: 'held' })
  await barrier.reached()
  const responses = await throughEachServer(tenant, (server) => server.chat({ key: 'held' }))
  expect(responses.map((answer) => [answer.status, textAt(answer, 'error')])).toEqual(
    servers.map(() => [409, 'REQUEST_IN_PROGRESS']),
  )
  await owner.control.barriers.find(barrier.id).release()
  expect((await held).status).toBe(200)
  expect(isReplay(await owner.chat({ key: 'held' }))).toBe(true)
}

async function pausing(tenant: TenantServers): Promise<void> {
  const { other, agents, servers } = tenant
  await other.control.pause(agents.plain)
  const responses = await throughEachServer(tenant, (server) => server.chat())
  expect(responses.map(({ body }) => [body['response'], isObject(body['customer_message'])])).toEqual(
    servers.map(() => ['', true]),
  )
  await tenant.front.control.resume(agents.plain)
  const after = await throughEachServer(tenant, (server) => server.chat({ message: 'Back?' }))
  expect(after.map((answer) => textAt(answer, 'response').includes('Back?'))).toEqual(servers.map(() => true))
}

async function credits(tenant: TenantServers): Promise<void> {
  const { owner, other, front, accounts, servers } = tenant
  const cost = Number((await other.chat()).body['credits_used'])
  await front.control.setCredits(accounts.main, 2 * cost)
  const requests = [...servers, ...servers]
  const responses = await Promise.all(requests.map((server) => server.chat()))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(responses.filter(({ status }) => status === 402)).toHaveLength(4)
  expect(await creditsOf(owner, accounts.main)).toBe(0)
}

async function plans(tenant: TenantServers): Promise<void> {
  const { other, agents, accounts, servers } = tenant
  await other.control.setAllowed(agents.plain, false)
  const refused = await throughEachServer(tenant, (server) => server.chat())
  expect(refused.map(({ status }) => status)).toEqual(servers.map(() => 403))
  await tenant.front.control.setPlan(accounts.main, 'starter')
  const hooks = await throughEachServer(tenant, (server) => server.webhooks('GET', ''))
  expect(hooks.map(({ status }) => status)).toEqual(servers.map(() => 403))
}

async function buttons(tenant: TenantServers): Promise<void> {
  const { front, other, owner, servers } = tenant
  const begun = await front.chat({ agent: 'workflow' })
  const conversation = { conversation_id: textAt(begun, 'conversation_id') }
  const press = { agent: 'workflow', more: { ...conversation, interaction: buttonIn(begun) } } as const
  const next = await other.chat({ ...press, key: 'pressed' })
  expect(next.status).toBe(200)
  const late = await throughEachServer(tenant, (server) => server.chat(press))
  expect(late.map((answer) => [answer.status, textAt(answer, 'error')])).toEqual(
    servers.map(() => [409, 'WORKFLOW_INTERACTION_STALE']),
  )
  const pressed = await owner.chat({
    agent: 'workflow',
    more: { ...conversation, interaction: buttonIn(next) },
  })
  expect(pressed.status).toBe(200)
}

const run = (server: TenantServers['front'], operation: string, input: JsonObject): Promise<ReadResponse> =>
  server.request('POST', `/api/v1/operation-executions/${operation}`, { input })

async function tasks(tenant: TenantServers): Promise<void> {
  const { front, owner, other } = tenant
  const task = `/api/v1/tasks/${textAt(await run(other, 'orders.archive', { before: '2030-01-01' }), 'task_id')}`
  // Each read advances the task.
  const states = [
    await owner.request('GET', task),
    await front.request('GET', task),
    await other.request('GET', task),
  ]
  expect(states.map((answer) => textAt(answer, 'state'))).toEqual(['queued', 'running', 'failed'])
}

async function approvals(tenant: TenantServers): Promise<void> {
  const { front, owner, other } = tenant
  const receipt = await run(other, 'customers.erase', { customerId: 'cus_1001', reason: 'law' })
  expect(textAt(receipt, 'status')).toBe('pending_approval')
  await front.control.decide(textAt(receipt, 'approval_id'), 'approved')
  const count = async (server: TenantServers['front']): Promise<Json | undefined> => {
    const { body } = await run(server, 'customers.erasures', {})
    return isObject(body['data']) ? body['data']['count'] : undefined
  }
  expect([await count(owner), await count(other), await count(front)]).toEqual([1, 1, 1])
}

async function webhooks(tenant: TenantServers): Promise<void> {
  const { front, other, servers } = tenant
  await using endpoint = await openEndpoint()
  const made = assertSuccess(await other.webhooks('POST', '', hookTo(endpoint.url, 'leads.submit')))
  const lists = await throughEachServer(tenant, (server) => server.webhooks('GET', ''))
  expect(lists.map(({ text }) => text.includes(textAt(made, 'id')))).toEqual(servers.map(() => true))
  const emitted = await Promise.all(servers.map(({ control }) => control.emit('leads.submit')))
  await endpoint.came(servers.length)
  const test = await front.webhooks('POST', `/${textAt(made, 'id')}/test`)
  expect(test.status).toBeLessThan(300)
  await endpoint.came(servers.length + 1)
  const ids = endpoint.arrivals.map(({ deliveryId }) => deliveryId)
  expect(ids.slice(0, -1).sort()).toEqual(emitted.flat().sort())
  expect(endpoint.arrivals.every((one) => isSignedBy(textAt(made, 'secret_key'), one))).toBe(true)
}

async function rate({ servers }: TenantServers): Promise<void> {
  const most = limits.chatRequestsPerMinute
  const requests = Array.from({ length: most + 3 }, (_, at) => servers[at % servers.length] ?? servers[0])
  const responses = await Promise.all(requests.map((server) => server.chat()))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(most)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(3)
}

/** Barriers after the first tokens prove that nothing on the way buffers the stream. */
async function stream(tenant: TenantServers): Promise<void> {
  for (const server of [tenant.other, tenant.front]) {
    const barriers = [1, 2].map((n) => server.control.barriers.hold({ at: `after-token:${n}` }))
    const [one, two] = await Promise.all(barriers)
    const reader = (await server.open({ message: 'one two three', more: { stream: true } })).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader()
    let text = ''
    const events = (): number => text.split('\n\n').length - 1
    const readUntil = async (there: () => boolean): Promise<void> => {
      while (!there()) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) throw new Error(`The stream ended with ${text}`)
        text += value
      }
    }
    await readUntil(() => events() === 1)
    await one?.release()
    await readUntil(() => events() === 2)
    await two?.release()
    await readUntil(() => text.includes('"done"'))
  }
}

export const agreement: readonly ClusterCase[] = [
  ['the same key through all servers at once runs, charges and notifies once', once],
  ['a turn in flight is in progress at each server', inFlight],
  ['AI replies paused through one server are paused at each', pausing],
  ['credits are spent once for turns through several servers', credits],
  ['what the plan does not allow is refused by each server', plans],
  ['a button pressed through one server is stale at each', buttons],
  ['a task advances with each read through any server', tasks],
  ['an approval decided through one server is decided at each', approvals],
  ['a webhook created through one server is listed by each and receives each event once', webhooks],
  ['the rate limit is one for all servers', rate],
  ['a replica that does not own the tenant streams event by event', stream],
]
