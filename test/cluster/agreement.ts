/** What clients of the service meet, whichever door they come by: one table of promises, one tenant for each. */
import { expect } from 'vitest'
import { limits } from '../../spec/index.ts'
import { isObject, type Json, type JsonObject } from '../../simulator/json.ts'
import { isSignedBy, openEndpoint } from './endpoint.ts'
import {
  creditsOf,
  granted,
  hookTo,
  isReplay,
  textAt,
  type House,
  type Promised,
  type Said,
} from './house.ts'

/** The first button that an answer offers, wherever its presentation has it. */
function buttonIn({ body }: Said): JsonObject {
  const open: unknown[] = [body['presentation']]
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue
    if (isObject(one) && 'runId' in one && 'nodeId' in one) return one
    open.push(...Object.values(one))
  }
  throw new Error('The answer offers no button.')
}

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('There is none.')
  return one
}

/** One after the other, so that what the next one meets is what the last one left. */
async function byEachDoor<T>({ servers }: House, act: (server: House['front']) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (const server of servers) results.push(await act(server))
  return results
}

/** The same reply for everybody, whoever came first. */
async function once(house: House): Promise<void> {
  const { servers, owner, accounts } = house
  await using endpoint = await openEndpoint()
  granted(await owner.webhooks('POST', '', hookTo(endpoint.url, 'message.sent')))
  const before = await creditsOf(owner, accounts.main)
  const concurrencyLimit = [...servers, ...servers, ...servers, ...servers]
  const met = await Promise.all(concurrencyLimit.map((server) => server.chat({ key: 'once' })))
  const ran = met.filter((answer) => answer.status === 200 && !isReplay(answer))
  expect(ran).toHaveLength(1)
  for (const answer of met.filter((one) => one.status !== 200))
    expect(textAt(answer, 'error')).toBe('REQUEST_IN_PROGRESS')
  const replays = await byEachDoor(house, (server) => server.chat({ key: 'once' }))
  expect(replays.map((answer) => [answer.status, isReplay(answer), answer.text])).toEqual(
    servers.map(() => [200, true, first(ran).text]),
  )
  const conflicts = await byEachDoor(house, (server) => server.chat({ key: 'once', message: 'Another' }))
  expect(conflicts.map((answer) => textAt(answer, 'error'))).toEqual(
    servers.map(() => 'IDEMPOTENCY_CONFLICT'),
  )
  const { credits_used: used } = first(ran).body
  expect(await creditsOf(owner, accounts.main)).toBe(before - Number(used))
  // A further event, so that what came before it is all there is.
  await owner.control.emit('message.sent')
  await endpoint.came(2)
  expect(new Set(endpoint.arrivals.map(({ deliveryId }) => deliveryId)).size).toBe(2)
  expect(endpoint.arrivals).toHaveLength(2)
}

async function inFlight(house: House): Promise<void> {
  const { owner, other, servers } = house
  const barrier = await other.control.barriers.hold({ at: 'before-commit', key: 'held' })
  const held = other.chat({ key: 'held' })
  await barrier.reached()
  const met = await byEachDoor(house, (server) => server.chat({ key: 'held' }))
  expect(met.map((answer) => [answer.status, textAt(answer, 'error')])).toEqual(
    servers.map(() => [409, 'REQUEST_IN_PROGRESS']),
  )
  await owner.control.barriers.find(barrier.id).release()
  expect((await held).status).toBe(200)
  expect(isReplay(await owner.chat({ key: 'held' }))).toBe(true)
}

async function pausing(house: House): Promise<void> {
  const { other, agents, servers } = house
  await other.control.pause(agents.plain)
  const met = await byEachDoor(house, (server) => server.chat())
  expect(met.map(({ body }) => [body['response'], isObject(body['customer_message'])])).toEqual(
    servers.map(() => ['', true]),
  )
  await house.front.control.resume(agents.plain)
  const after = await byEachDoor(house, (server) => server.chat({ message: 'Back?' }))
  expect(after.map((answer) => textAt(answer, 'response').includes('Back?'))).toEqual(servers.map(() => true))
}

async function credits(house: House): Promise<void> {
  const { owner, other, front, accounts, servers } = house
  const cost = Number((await other.chat()).body['credits_used'])
  await front.control.setCredits(accounts.main, 2 * cost)
  const concurrencyLimit = [...servers, ...servers]
  const met = await Promise.all(concurrencyLimit.map((server) => server.chat()))
  expect(met.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(met.filter(({ status }) => status === 402)).toHaveLength(4)
  expect(await creditsOf(owner, accounts.main)).toBe(0)
}

async function plans(house: House): Promise<void> {
  const { other, agents, accounts, servers } = house
  await other.control.setAllowed(agents.plain, false)
  const refused = await byEachDoor(house, (server) => server.chat())
  expect(refused.map(({ status }) => status)).toEqual(servers.map(() => 403))
  await house.front.control.setPlan(accounts.main, 'starter')
  const hooks = await byEachDoor(house, (server) => server.webhooks('GET', ''))
  expect(hooks.map(({ status }) => status)).toEqual(servers.map(() => 403))
}

async function buttons(house: House): Promise<void> {
  const { front, other, owner, servers } = house
  const begun = await front.chat({ agent: 'workflow' })
  const conversation = { conversation_id: textAt(begun, 'conversation_id') }
  const press = { agent: 'workflow', more: { ...conversation, interaction: buttonIn(begun) } } as const
  const next = await other.chat({ ...press, key: 'pressed' })
  expect(next.status).toBe(200)
  const late = await byEachDoor(house, (server) => server.chat(press))
  expect(late.map((answer) => [answer.status, textAt(answer, 'error')])).toEqual(
    servers.map(() => [409, 'WORKFLOW_INTERACTION_STALE']),
  )
  const pressed = await owner.chat({
    agent: 'workflow',
    more: { ...conversation, interaction: buttonIn(next) },
  })
  expect(pressed.status).toBe(200)
}

const run = (server: House['front'], operation: string, input: JsonObject): Promise<Said> =>
  server.ask('POST', `/api/v1/operation-executions/${operation}`, { input })

async function tasks(house: House): Promise<void> {
  const { front, owner, other } = house
  const task = `/api/v1/tasks/${textAt(await run(other, 'orders.archive', { before: '2030-01-01' }), 'task_id')}`
  // Each read of a task moves it on.
  const states = [await owner.ask('GET', task), await front.ask('GET', task), await other.ask('GET', task)]
  expect(states.map((answer) => textAt(answer, 'state'))).toEqual(['queued', 'running', 'failed'])
}

async function approvals(house: House): Promise<void> {
  const { front, owner, other } = house
  const receipt = await run(other, 'customers.erase', { customerId: 'cus_1001', reason: 'law' })
  expect(textAt(receipt, 'status')).toBe('pending_approval')
  await front.control.decide(textAt(receipt, 'approval_id'), 'approved')
  const count = async (server: House['front']): Promise<Json | undefined> => {
    const { body } = await run(server, 'customers.erasures', {})
    return isObject(body['data']) ? body['data']['count'] : undefined
  }
  expect([await count(owner), await count(other), await count(front)]).toEqual([1, 1, 1])
}

async function webhooks(house: House): Promise<void> {
  const { front, other, servers } = house
  await using endpoint = await openEndpoint()
  const made = granted(await other.webhooks('POST', '', hookTo(endpoint.url, 'leads.submit')))
  const lists = await byEachDoor(house, (server) => server.webhooks('GET', ''))
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

async function rate({ servers }: House): Promise<void> {
  const most = limits.chatRequestsPerMinute
  const concurrencyLimit = Array.from(
    { length: most + 3 },
    (_, at) => servers[at % servers.length] ?? servers[0],
  )
  const met = await Promise.all(concurrencyLimit.map((server) => server.chat()))
  expect(met.filter(({ status }) => status === 200)).toHaveLength(most)
  expect(met.filter(({ status }) => status === 429)).toHaveLength(3)
}

/** The turn is held after each of its first tokens, and what came by then is there: nothing on the way waits for more. */
async function stream(house: House): Promise<void> {
  for (const server of [house.other, house.front]) {
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

export const agreement: readonly Promised[] = [
  ['the same key by all servers at once runs once, is paid once and told once', once],
  ['a turn that is under way is in progress at every door', inFlight],
  ['AI replies that are paused by one door are paused at every door', pausing],
  ['credits are spent once, whichever servers the turns come by', credits],
  ['what the plan does not allow is refused at every door', plans],
  ['a button that was pressed by one door is stale at every door', buttons],
  ['a task goes on with each read, by whichever door', tasks],
  ['an approval that is decided by one door is decided at every door', approvals],
  ['a webhook made by one door is listed at every door, and told of each event once', webhooks],
  ['the rate limit is one for all servers', rate],
  ['a stream comes event by event by the door of a replica that does not own the tenant', stream],
]
