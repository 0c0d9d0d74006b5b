/** A tenant that goes on from a snapshot responds, and delivers, byte for byte as it did the first time. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest'
import { createSimulator, type Simulator } from '../index.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { postTurn } from '../testing/project.testkit.ts'
import { samples } from '../testing/samples.testkit.ts'
import { createRandom, type Random } from '../tenant/random.ts'
import { optionsFrom, sealedSnapshot, snapshotIn, type Snapshot } from './snapshot.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

/** Refuses some of the first attempts of each delivery, as its id says. */
let receiver: Server
let endpoint: string
let received: string[] = []
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      const { host: _host, connection: _connection, ...headers } = request.headers
      received.push(JSON.stringify([request.url, headers, Buffer.concat(chunks).toString()]))
      const id = String(headers['x-service-delivery-id'])
      const attempts = received.filter((text) => text.includes(id)).length
      response.writeHead(attempts > id.charCodeAt(8) % 4 ? 200 : 500).end()
    })
  }).listen(0, 'localhost')
  await once(receiver, 'listening')
  endpoint = `http://localhost:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(() => receiver.close())

const options = { clock: { mode: 'frozen' }, legacy: true, tasks: { by: 'time', stepMs: 40_000 } } as const
const idsOf = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? []

/** Sends requests one after the other, and records each response. */
function userOf(simulator: Simulator, lines: string[]) {
  const { tenant } = simulator
  const control = `/_sim/v1/tenants/${tenant.id}`
  return async (method: string, path: string, body?: Json, token = tenant.keys.main, key?: string) => {
    const response = await fetch(simulator.url + path.replace('~', control), {
      method,
      headers: {
        ...(token.startsWith('sess_')
          ? { cookie: `session=${token}` }
          : { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const headers = [...response.headers].filter(([name]) => !['date', 'connection'].includes(name))
    lines.push(JSON.stringify([method, path, response.status, headers, text]))
    // Deliveries that this request caused are sent before the next one.
    await tenant.clock.advance(0)
    return text
  }
}

type User = ReturnType<typeof userOf>
interface Step {
  readonly ask: User
  readonly tenant: Simulator['tenant']
  readonly random: Random
  /** Every text so far. */
  readonly seen: string
}

const oneOf = <T>(random: Random, values: readonly T[]): T | undefined => values[random.below(values.length)]
const keyOf = (random: Random): string => `key-${random.below(12)}`
const run = ({ ask, tenant, random }: Step, operation: string) =>
  ask(
    'POST',
    `/api/v1/operation-executions/${operation}`,
    { input: samples(tenant.agents.plain)[operation] ?? {} },
    tenant.keys.main,
    `${operation} ${keyOf(random)}`,
  )
const chat = ({ ask, tenant, random }: Step, agent: string, body: JsonObject, token = tenant.keys.main) =>
  ask(
    'POST',
    `/api/v1/chat/${agent}`,
    { message: `Message ${random.below(3)}.`, ...body },
    token,
    keyOf(random),
  )

const registered = ({ ask, tenant }: Pick<Step, 'ask' | 'tenant'>) =>
  ask(
    'POST',
    `/api/agents/${tenant.agents.plain}/webhooks`,
    { name: 'All', endpoint_url: endpoint, events: ['order.confirmed', 'leads.submit'] },
    tenant.sessions.main,
  )

const commands: readonly ((step: Step) => Promise<unknown>)[] = [
  registered,
  (step) => chat(step, step.tenant.agents.plain, {}),
  (step) => chat(step, step.tenant.agents.tools, { stream: true }),
  (step) => chat(step, step.tenant.agents.workflow, { conversation_id: 'shop' }),
  (step) => chat(step, step.tenant.agents.paused, {}),
  async (step) => {
    const text = await chat(step, step.tenant.agents.workflow, {})
    const parsed: unknown = JSON.parse(text)
    const presentation = isObject(parsed) ? (parsed['presentation'] ?? null) : null
    const buttons = isObject(presentation) ? (presentation['buttons'] ?? null) : null
    const [button = null] = Array.isArray(buttons) ? buttons : []
    const { type = null, runId = null, nodeId = null, payload = null } = isObject(button) ? button : {}
    await chat(step, step.tenant.agents.workflow, { interaction: { type, runId, nodeId, payload } })
  },
  async (step) => {
    step.tenant.exhaustRate('sacrificial')
    await chat(step, step.tenant.agents.plain, {}, step.tenant.keys.sacrificial)
  },
  (step) => chat(step, step.tenant.agents.plain, {}, step.tenant.keys.sacrificial),
  ({ ask, tenant, random }) =>
    ask(
      'POST',
      `/v1/agents/${tenant.agents.plain}/chat`,
      { message: 'Hello.' },
      tenant.olderKeys.plain,
      keyOf(random),
    ),
  ({ ask, random }) =>
    ask('POST', '~/events', { event: oneOf(random, ['order.confirmed', 'leads.submit'])! }),
  ({ ask, random, seen }) => {
    const delivery = oneOf(random, idsOf(seen, /whd_\w+/g))
    return delivery ? ask('POST', `~/deliveries/${delivery}/again`, {}) : ask('GET', '~/deliveries')
  },
  ({ ask, random }) =>
    ask('POST', '~/clock/advance', { ms: oneOf(random, [500, 15_000, 70_000, 3_600_000])! }),
  (step) =>
    run(step, oneOf(step.random, ['notes.create', 'notes.list', 'audit_log.list', 'customers.list'])!),
  (step) => run(step, oneOf(step.random, ['customers.import', 'calendar.connect', 'customers.erase'])!),
  ({ ask, random, seen }) => {
    const task = oneOf(random, idsOf(seen, /task_\w+/g))
    return task ? ask('GET', `/api/v1/tasks/${task}`) : ask('GET', '~/tasks')
  },
  ({ ask, random, seen }) => {
    const approval = oneOf(random, idsOf(seen, /appr_\w+/g))
    return approval
      ? ask('POST', `~/approvals/${approval}`, { decision: oneOf(random, ['approved', 'rejected'])! })
      : ask('GET', '~/approvals')
  },
  ({ ask, tenant, random }) =>
    ask(
      'POST',
      '/api/v1/uploads/documents/prepare',
      { fileName: 'faq.txt', contentType: 'text/plain', size: 5 },
      tenant.keys.main,
      `upload ${keyOf(random)}`,
    ),
  ({ ask }) => ask('POST', '~/failures', { status: 500, times: 2 }),
  ({ ask }) =>
    ask('POST', '~/network-faults', {
      networkFaults: [{ after: 1, do: { is: 'refuse', code: 'RATE_LIMITED' } }],
    }),
  ({ ask }) => ask('PATCH', '~', { variants: ['comments-between'] }),
  ({ ask }) =>
    ask('PUT', '~/reply-rules', {
      replyRules: [{ match: { message: { contains: '2' } }, reply: { text: 'Two.' } }],
    }),
  ({ ask }) => ask('GET', '~'),
  ({ ask }) => ask('GET', '~/keys?limit=50'),
]

/** Runs a list of commands that follows from the seed; returns everything that was sent back and delivered. */
async function proceed(simulator: Simulator, seed: string, count: number): Promise<readonly string[]> {
  const random = createRandom(seed)
  const lines: string[] = []
  received = []
  const ask = userOf(simulator, lines)
  for (let made = 0; made < count; made++) {
    const command = oneOf(random, commands)
    await command?.({ ask, tenant: simulator.tenant, random, seen: lines.join('\n') })
  }
  // Whatever is still to come shows.
  for (const ms of [60_000, 3_600_000]) await ask('POST', '~/clock/advance', { ms })
  for (const list of ['~/deliveries', '~/tasks', '~/approvals', '~/clock']) await ask('GET', list)
  return [...lines, ...received.toSorted()]
}

const transported = (snapshot: Snapshot): Snapshot =>
  snapshotIn(JSON.parse(JSON.stringify(snapshot, null, 2)))

test.for(['one', 'two', 'three', 'four', 'five'])(
  'what a snapshot has is in a file after a restart, and goes on the same, in list %s',
  async (seed) => {
    const own = { ...options, seed, store: `file:${join(temporaryFolder(onTestFinished), 'store.db')}` }
    const before = await createSimulator(own)
    await registered({ ask: userOf(before, []), tenant: before.tenant })
    await proceed(before, `${seed} before`, 40)
    const snapshot = transported(before.tenant.snapshot())
    const text = before.tenant.snapshotText(1_000_000)
    expect(Buffer.from(text).toString()).toBe(JSON.stringify(before.tenant.snapshot()))
    const first = await proceed(before, `${seed} after`, 45)
    expect(first.join()).toContain('whd_')
    const kept = before.tenant.snapshot().entries
    await before.close()

    await using next = await createSimulator(own)
    expect(next.tenant.snapshot().entries).toEqual(kept)
    next.tenant.restore(snapshot)
    expect(await proceed(next, `${seed} after`, 45)).toEqual(first)

    await using another = await createSimulator(optionsFrom(snapshot))
    another.tenant.restore(snapshot)
    expect(another.tenant.snapshot()).toEqual(snapshot)
    expect(await proceed(another, `${seed} after`, 45)).toEqual(first)
  },
)

const hour = 3_600_000
test.for([
  ['frozen', { mode: 'frozen', at: 0 }, 5 * hour],
  ['scaled', { mode: 'scaled', factor: 1 }, 5 * hour],
  ['real', { mode: 'real' }, 5 * hour],
  ['offset', { mode: 'offset', ms: hour }, 6 * hour],
] as const)('a clock continues %s', async ([mode, clock, ms]) => {
  await using simulator = await createSimulator({ clock })
  const { tenant } = simulator
  const ahead = (): number => Math.round((tenant.clock.now() - (mode === 'frozen' ? 0 : Date.now())) / hour)
  await tenant.clock.advance(5 * hour)
  const snapshot = transported(tenant.snapshot())
  await tenant.clock.advance(7 * hour)
  tenant.restore(snapshot)
  expect([ahead(), tenant.clock.setting]).toEqual([ms / hour, clock])
})

describe('refused, and nothing is changed', () => {
  const sealed = (change: (snapshot: Snapshot) => object) => (snapshot: Snapshot) => {
    const { digest: _digest, ...rest } = snapshot
    return sealedSnapshot({ ...rest, ...change(snapshot) })
  }
  const task = { kind: 'task', id: 't', place: 1, since: 0, body: {} }
  const legacy = ({ options: own }: Snapshot) => ({ options: { ...own, legacy: true } })
  const cases: readonly (readonly [name: string, change: (snapshot: Snapshot) => unknown, words: RegExp])[] =
    [
      ['text', () => 'snapshot', /not a JSON object/],
      [
        'another format',
        (one) => ({ ...one, format: 'touchstone-snapshot/2' }),
        /reads touchstone-snapshot\/1/,
      ],
      ['an edited one', (snapshot) => ({ ...snapshot, seed: 'b' }), /damaged or was edited/],
      ['one of another tenant', sealed(() => ({ seed: 'b' })), /seed "b"/],
      ['one of other options', sealed(legacy), /other options/],
      ['an entry that cannot be read', sealed(() => ({ entries: [task] })), /cannot be restored: /],
    ]
  test.for(cases)('%s', async ([, change, words]) => {
    await using simulator = await createSimulator({ clock: { mode: 'frozen' }, seed: 'a' })
    const { tenant } = simulator
    tenant.setCredits('main', 7)
    const snapshot = tenant.snapshot()
    expect(() => tenant.restore(change(snapshot) as Snapshot)).toThrow(words)
    expect(tenant.snapshot()).toEqual(snapshot)
  })

  test('a text of too many bytes', async () => {
    await using simulator = await createSimulator({ clock: { mode: 'frozen' } })
    const { tenant } = simulator
    const { length } = tenant.snapshotText(1_000_000)
    expect(tenant.snapshotText(length)).toHaveLength(length)
    for (const most of [0, 100, length - 1])
      expect(() => tenant.snapshotText(most)).toThrow(`more than ${most} bytes: reset`)
  })

  test('while a turn is in flight, and while there are barriers', async () => {
    await using simulator = await createSimulator({ clock: { mode: 'frozen' } })
    const { tenant } = simulator
    const snapshot = tenant.snapshot()
    const barrier = tenant.barriers.hold({ at: 'before-run' })
    expect(() => tenant.snapshot()).toThrow(/Holds.*release them/)
    const turn = postTurn(tenant, 'a', { message: 'Hello.' })
    await barrier.reached()
    for (const refused of [() => tenant.snapshot(), () => tenant.restore(snapshot)])
      expect(refused).toThrow(/in flight: 1\. Wait for them, or release or crash/)
    barrier.release()
    await turn
  })
})
