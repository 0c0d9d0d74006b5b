/** What an application does with the service in a day, sent by an example client through the proxy. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { driverRunner } from '../../cli/client/runners.ts'
import { openForwarder, type Forwarder } from '../../cli/proxy/forward.ts'
import { sessionHeader } from '../../cli/simulate/greeting.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type Modifications, type Tenant } from '../../simulator/index.ts'
import { isObject } from '../../spec/json.ts'
import type { ClientRunner, ClientTask } from '../../suites/clients/execution/task.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { runTraffic } from '../../suites/runner/drivers/traffic.ts'
import { createPrincipals, forwarded } from '../../suites/traffic/service.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import { direct } from '../../suites/wire/route.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import type { Finding } from '../../suites/index.ts'

const client = new URL('../../examples/clients/fetch.ts', import.meta.url).pathname

/** A process of the client, which is given one task after the other. */
export const startClient = (): ClientRunner =>
  driverRunner({
    words: [process.execPath, client, '--driver'],
    env: process.env,
    clock: realClock(),
    onMessage: (step, words) => {
      throw new Error(`${step}: ${words}`)
    },
  })

type Role = keyof Tenant['keys']
type Agent = keyof Tenant['agents']
type Members = Readonly<Record<string, unknown>>

interface Application {
  tenant: Tenant
  /** Where deliveries are forwarded to the receiver. */
  hooks: string
  /** Does a task with the client; resolves with what it reported last. */
  act: (task: ClientTask, key?: Role, agent?: Agent) => Promise<Members>
  /** What the client cannot send. */
  call: (method: string, path: string, sent?: Sent) => Promise<Members>
}

interface Sent {
  body?: unknown
  /** What it is the key of. */
  key?: string
  headers?: Readonly<Record<string, string>>
  /** Goes away once the answer has begun. */
  leaves?: true
}

/** Keys are remembered by what they are of; short ones could be of anybody. */
const keyOf = (of: string): string => `key-of-the-journey-0001-${of}`

const turn = (
  message: string,
  of: string,
  more: { conversationId?: unknown; interaction?: unknown } = {},
): ClientTask => ({ do: 'chat', message, idempotencyKey: keyOf(of), ...more }) as ClientTask
const streamed = (...given: Parameters<typeof turn>): ClientTask =>
  ({ ...turn(...given), do: 'stream' }) as ClientTask
const executed = (operation: string, input: Members, of?: string): ClientTask =>
  ({ do: 'execute', operation, input, ...(of && { idempotencyKey: keyOf(of) }) }) as ClientTask

/** With letters and signs beyond ASCII. */
const greeting = 'Grüezi, who are you? 👋'

/** The first button anywhere in a presentation, without what is only shown. */
function buttonIn(value: unknown): Members | undefined {
  if (Array.isArray(value)) return value.map(buttonIn).find((one) => one !== undefined)
  if (!isObject(value)) return undefined
  const { type, runId, nodeId, payload } = value
  if (type === 'workflow_button') return { type, runId, nodeId, payload }
  return buttonIn(Object.values(value))
}

async function converse({ act, call, tenant }: Application): Promise<void> {
  const hello = turn(greeting, 'hello')
  const conversationId = (await act(hello))['conversation_id']
  await act(hello)
  await act(turn('And what do you sell in winter?', 'other'))
  await act(turn('Which of these is the cheapest?', 'next', { conversationId }))
  // What is charged shows between two turns that have nothing else between them.
  const question = streamed('Say more about the first one.', 'stream')
  const inIt = { conversationId: (await act(question))['conversation_id'] }
  await act(question)
  await act(turn('Thank you.', 'after-stream', inIt))
  const path = `/api/v1/chat/${tenant.agents.plain}`
  await call('POST', path, { body: { message: '' }, key: 'invalid' })
  await act(turn('What else is there?', 'after-refusal'))
  await act(turn('May I?', 'of-noChat'), 'noChat')
  await act(turn('And what is new?', 'after-permission'))
  await act(streamed('And about the second one, please.', 'stream-2', inIt))
  await act({ ...hello, do: 'stream' } as ClientTask)
  await call('POST', path, { body: { message: greeting, idempotency_key: keyOf('hello') } })
  for (const agent of ['tools', 'gate', 'failing'] as const) {
    const used = streamed('What does it cost in euros?', `stream-of-${agent}`)
    await act(used, 'main', agent)
    if (agent !== 'failing') await act(used, 'main', agent)
  }
}

/** A request that goes away, and two at once: sent again until they are answered. */
async function hurry({ act, call, tenant }: Application): Promise<void> {
  const path = `/api/v1/chat/${tenant.agents.slow}`
  const left = { body: { message: 'Think about it.', stream: true }, key: 'left' }
  const twice = { body: { message: 'Think about this, too.' }, key: 'at-once' }
  await call('POST', path, { ...left, leaves: true })
  await Promise.all([call('POST', path, twice), call('POST', path, twice)])
  await act(streamed('Think about it.', 'left'), 'main', 'slow')
  await act(turn('Think about this, too.', 'at-once'), 'main', 'slow')
  await call('POST', path, left)
  await call('POST', path, twice)
}

async function press({ act }: Application): Promise<void> {
  const workflow = (task: ClientTask): Promise<Members> => act(task, 'main', 'workflow')
  const shown = await workflow(turn('What do you have?', 'menu'))
  await workflow(turn('What do you have?', 'menu'))
  const conversationId = shown['conversation_id']
  const pressing = (interaction: unknown, of: string): ClientTask =>
    turn('That one.', of, { conversationId, interaction })
  const next = await workflow(pressing(buttonIn(shown), 'press'))
  await workflow(pressing(buttonIn(shown), 'press-stale'))
  const last = streamed('This one.', 'press-2', { conversationId, interaction: buttonIn(next) })
  await workflow(last)
  const paused = turn('Is anybody there?', 'paused')
  const stored = { conversationId: (await act(paused, 'main', 'paused'))['conversation_id'] }
  await act(paused, 'main', 'paused')
  await act(turn('Hello?', 'paused-next', stored), 'main', 'paused')
  await act(streamed('Hello?', 'paused-stream'), 'main', 'paused')
}

async function refuse({ act, call, tenant }: Application): Promise<void> {
  for (const key of ['revoked', 'noChat', 'broke'] as const) {
    if (key !== 'noChat') await act(turn('May I?', `of-${key}`), key)
    await act(streamed('May I, as a stream?', `stream-of-${key}`), key)
  }
  await act(turn('Are you there?', 'foreign'), 'main', 'foreign')
  await act(turn('Are you there?', 'forbidden'), 'main', 'forbidden')
  const path = `/api/v1/chat/${tenant.agents.plain}`
  await call('POST', path, { body: { message: 5 }, key: 'invalid-2' })
  await act(turn('One last question.', 'last'))
  await act(turn('Goodbye.', 'second'), 'second')
  tenant.exhaustRate('second')
  await act(turn('Hello again.', 'limited'), 'second')
  await act(streamed('Hello again.', 'limited-stream'), 'second')
}

async function operate({ act, call, tenant }: Application): Promise<void> {
  await act({ do: 'discover' })
  await act(executed('notes.list', { limit: 1 }))
  await act(executed('notes.create', { text: 'Call back Ida.', priority: 'normal' }, 'note'))
  await act(executed('notes.create', { text: 'Call back Ida.', priority: 'normal' }, 'note'))
  await act(executed('customers.import', { customers: [{ name: 'Ida', email: 'i@example.com' }] }, 'import'))
  for (const { id } of tenant.tasks())
    for (let reads = 0; reads < 3; reads++) await call('GET', `/api/v1/tasks/${id}`)
  const connected = { input: { agentId: tenant.agents.plain, provider: 'caldav' } }
  await call('POST', '/api/v1/operation-executions/calendar.connect', { body: connected, key: 'calendar' })
  await act(executed('orders.export', { format: 'csv' }, 'export'))
  const erase = executed('customers.erase', { customerId: 'cus_1001', reason: 'customer-asked' }, 'erase')
  await act(erase)
  for (const { id } of tenant.approvals()) tenant.decide(id, 'approved')
  await act(erase)
  const file = {
    content: Buffer.from('a,b\n1,2\n').toString('base64'),
    fileName: 'a.csv',
    contentType: 'text/csv',
  }
  const keys = { prepareKey: keyOf('prepare'), finalizeKey: keyOf('finalize') }
  await act({ do: 'upload', kind: 'spreadsheet', ...file, ...keys })
  for (const read of ['usage', 'subscription', 'plans', 'invoices'] as const)
    await act({ do: 'billing', read })
}

async function deliver({ call, hooks, tenant }: Application): Promise<void> {
  const [name, value] = sessionHeader(tenant)
  const headers = { [name]: value }
  const path = `/api/agents/${tenant.agents.plain}/webhooks`
  const made = (of: string, endpoint: string): Sent => ({
    headers,
    body: {
      name: `Of ${of}`,
      endpoint_url: endpoint,
      events: ['leads.submit', 'order.confirmed'],
      description: 'The shop.',
      custom_headers: { 'X-Shop': of },
    },
  })
  const { id } = await call('POST', path, made('orders', `${hooks}/orders`))
  await call('POST', path, made('leads', `${hooks}/leads`))
  const second = `/api/agents/${tenant.agents.second}/webhooks`
  const { id: gone } = await call('POST', second, made('second', 'https://shop.example/hooks'))
  await call('GET', path, { headers })
  await call('GET', second, { headers })
  await call('PATCH', `${path}/${String(id)}`, { headers, body: { name: 'Of all orders' } })
  await call('GET', path, { headers })
  await call('POST', `${path}/${String(id)}/test`, { headers })
  const [lead] = tenant.emit('leads.submit')
  tenant.emit('order.confirmed')
  await tenant.clock.advance(60_000)
  if (lead !== undefined) tenant.again(lead, { sameId: true })
  await tenant.clock.advance(60_000)
  await call('GET', `${path}/${String(id)}/logs`, { headers })
  await call('DELETE', `${second}/${String(gone)}`, { headers })
  await call('GET', second, { headers })
  await call('GET', second, { headers })
}

/** Fails the first request for an order, as a receiver may. */
async function startReceiver() {
  let failed = false
  const server = createServer((asked, answer) => {
    asked.resume().on('end', () => {
      const fails =
        !failed && asked.url === '/orders' && asked.headers['x-service-event'] === 'order.confirmed'
      failed ||= fails
      answer.writeHead(fails ? 503 : 204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

function applicationOf(tenant: Tenant, runner: ClientRunner, url: string, hooks: string): Application {
  const signal = new AbortController().signal
  return {
    tenant,
    hooks,
    async act(task, key = 'main', agent = 'plain') {
      const service = { baseUrl: url, apiKey: tenant.keys[key], agent: tenant.agents[agent] }
      const about = { name: task.do, task, limitMs: 20_000 }
      const nextRequest = (): Promise<void> => Promise.resolve()
      const { ended, reported, stderr } = await runner.runStep(
        { ...about, service: { ...service, nextRequest } },
        signal,
      )
      if (ended !== 'done') throw new Error(`${JSON.stringify(task)} ended as ${ended}: ${stderr}`)
      const last: Members = { ...reported.at(-1) }
      return Object.values(last).find((value): value is Members => isObject(value)) ?? {}
    },
    async call(method, path, { body, key, headers = {}, leaves }: Sent = {}) {
      const isHook = path.startsWith('/api/agents/')
      const own = {
        ...(!isHook && { authorization: `Bearer ${tenant.keys.main}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': keyOf(key) }),
      }
      try {
        const answer = await fetch(url + path, {
          method,
          headers: { ...own, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        if (leaves) for await (const _ of answer.body ?? []) return {}
        const text = await answer.text()
        return text.startsWith('{') ? (JSON.parse(text) as Members) : {}
      } catch {
        return {}
      }
    },
  }
}

function openProxy(to: string, clock: Clock, onExchange: (made: Exchange) => void): Promise<Forwarder> {
  const about = { to: new URL(to), tls: direct.tls, clock, most: 1e6, onExchange }
  return openForwarder({ host: '127.0.0.1', port: 0 }, about)
}

/** What is found in the traffic of one journey with a simulator. */
export async function findingsOfJourney(
  modifications: Modifications,
  runner: ClientRunner,
): Promise<readonly Finding[]> {
  await using simulator = await createSimulator({ ...modifications, targets: { allow: ['127.0.0.1'] } })
  const { tenant } = simulator
  const clock = realClock()
  const receiver = await startReceiver()
  const { dialect } = simulatorTarget(simulator)
  const traffic = {
    name: 'journey',
    baseUrl: simulator.url,
    dialect,
    policy: emptyPolicy,
    exclusiveCredits: true,
  }
  const principals = createPrincipals()
  const from = async (add: (made: Exchange) => unknown): Promise<void> => {
    const made: Exchange[] = []
    const onExchange = (one: Exchange): void =>
      void made.push(forwarded({ ...one, id: made.length + 1 }, principals, {}))
    const service = await openProxy(simulator.url, clock, onExchange)
    const hooks = await openProxy(receiver.url, clock, onExchange)
    const url = ({ host, port }: Forwarder): string => `http://${host}:${port}`
    const application = applicationOf(tenant, runner, url(service), url(hooks))
    for (const part of [deliver, converse, hurry, press, operate, refuse]) await part(application)
    await Promise.all([service.close(), hooks.close()])
    for (const one of made) add(one)
  }
  try {
    return (await runTraffic({ ...traffic, from }, { seed: 1, clock })).record.findings
  } finally {
    receiver.close()
  }
}
