/** What one process leaves in its file, and what the next one makes of it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
let files = 0
const newFile = (): string => join(folder, `${++files}.db`)

interface Said {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
}

async function say(
  simulator: Simulator,
  key: string,
  more: JsonObject = {},
  agent: 'plain' | 'workflow' = 'plain',
): Promise<Said> {
  const { tenant } = simulator
  const response = await fetch(`${tenant.url}/api/v1/chat/${tenant.agents[agent]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': key },
    body: JSON.stringify({ message: 'hello', ...more }),
  })
  const replayed = response.headers.get('x-service-idempotent-replay') === 'true'
  return { status: response.status, replayed, text: await response.text() }
}

async function press(simulator: Simulator, key: string): Promise<string> {
  const offered: unknown = JSON.parse((await say(simulator, 'offer', {}, 'workflow')).text)
  const presentation = isObject(offered) ? (offered['presentation'] ?? null) : null
  const buttons = isObject(presentation) ? presentation['buttons'] : []
  const { type, runId, nodeId, payload } = (Array.isArray(buttons) ? buttons[0] : {}) as JsonObject
  return (
    await say(simulator, key, { interaction: { type, runId, nodeId, payload } as JsonObject }, 'workflow')
  ).text
}

/** What one process does, and what the next one sees of it. */
type Row = readonly [
  title: string,
  before: (simulator: Simulator) => unknown,
  after: (simulator: Simulator) => unknown,
  sees: unknown,
]

async function hold(simulator: Simulator): Promise<void> {
  const barrier = simulator.tenant.barriers.hold({ at: 'before-commit', key: 'k' })
  void say(simulator, 'k').catch(() => undefined)
  await barrier.reached()
}

const rows: readonly Row[] = [
  ['a completed turn', (one) => say(one, 'k'), async (one) => (await say(one, 'k')).replayed, true],
  [
    'what a turn cost',
    async (one) => (one.tenant.setCredits('main', 10), await say(one, 'k')),
    ({ tenant }) => tenant.credits('main'),
    9,
  ],
  [
    'a turn in flight as uncertain',
    hold,
    async (one) => (await say(one, 'k')).text,
    expect.stringContaining('OUTCOME_UNCERTAIN'),
  ],
  ['nothing reserved for a turn in flight', hold, ({ tenant }) => tenant.credits('main'), 1_000_000],
  [
    'a button that can still be pressed',
    (one) => say(one, 'offer', {}, 'workflow'),
    (one) => press(one, 'first'),
    expect.stringContaining('"response"'),
  ],
  [
    'a button that was pressed',
    (one) => press(one, 'first'),
    (one) => press(one, 'second'),
    expect.stringContaining('WORKFLOW_INTERACTION_STALE'),
  ],
  [
    'a paused agent',
    ({ tenant }) => tenant.pause('plain'),
    ({ tenant }) => tenant.state.agents.get(tenant.agents.plain)?.paused,
    true,
  ],
  ['a plan', ({ tenant }) => tenant.setPlan('main', 'trial'), ({ tenant }) => tenant.plan('main'), 'trial'],
  [
    'faults and interpretations',
    ({ tenant }) =>
      tenant.setModifications({
        faults: ['replay-unmarked'],
        interpretations: { 'GAP-OLDER-SERVED': 'yes' },
      }),
    ({ tenant }) => [tenant.faults, tenant.interpretations['GAP-OLDER-SERVED']],
    [['replay-unmarked'], 'yes'],
  ],
  [
    'reply rules, the newest first',
    ({ tenant }) => tenant.addReplyRules([{ match: {}, reply: { text: 'mine' } }]),
    async (one) => (await say(one, 'k')).text,
    expect.stringContaining('"mine"'),
  ],
  [
    'an outage until it is cleared',
    ({ tenant }) => tenant.fail({ status: 503, times: Infinity, apiKey: tenant.keys.main }),
    async (one) => (await say(one, 'k')).status,
    503,
  ],
  [
    'the moment of a frozen clock',
    ({ tenant }) => tenant.clock.advance(5_000),
    ({ tenant }) => tenant.clock.now() - Date.UTC(2030, 0, 1),
    5_000,
  ],
  [
    'a further tenant with its options',
    (one) => one.createTenant({ seed: 'further', vendor: 'acme' }),
    ({ tenants }) => tenants.map(({ seed, vendor }) => [seed, vendor]),
    [
      ['touchstone', 'service'],
      ['further', 'acme'],
    ],
  ],
  [
    'nothing of a tenant that was removed',
    (one) => one.removeTenant(one.createTenant({ seed: 'further' })),
    ({ tenants }) => tenants.length,
    1,
  ],
]

test.for(rows)('the next process sees %s', async ([, before, after, sees]) => {
  const options: SimulatorOptions = { store: `file:${newFile()}`, clock: { mode: 'frozen' } }
  const first = await createSimulator(options)
  await before(first)
  await first.close()
  await using second = await createSimulator(options)
  expect(await after(second)).toEqual(sees)
})

test('a delivery in flight is sent again with its id, and is still the first attempt', async () => {
  const ids = createServer(() => undefined).listen(0, 'localhost')
  await once(ids, 'listening')
  const came = async (): Promise<readonly unknown[]> => {
    const [{ headers }] = (await once(ids, 'request')) as [IncomingMessage]
    return [headers['x-service-delivery-id'], headers['x-service-event']]
  }
  const store = `file:${newFile()}`
  const first = await createSimulator({ store })
  const { tenant } = first
  const created = await fetch(`${tenant.url}/api/agents/${tenant.agents.plain}/webhooks`, {
    method: 'POST',
    headers: { cookie: `session=${tenant.sessions.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'hook',
      endpoint_url: `http://localhost:${(ids.address() as AddressInfo).port}/`,
      events: ['leads.submit'],
    }),
  })
  expect(created.status).toBe(201)
  const before = came()
  tenant.emit('leads.submit')
  const attempt = await before
  await first.close()
  const after = came()
  await using second = await createSimulator({ store })
  expect(await after).toEqual(attempt)
  expect(second.tenant.deliveries().map(({ state, attempts }) => [state, attempts])).toEqual([
    ['in-flight', []],
  ])
  ids.closeAllConnections()
  ids.close()
})

test('the file is for its owner, and has no API key', async () => {
  const path = newFile()
  const simulator = await createSimulator({ store: `file:${path}` })
  const { tenant } = simulator
  tenant.fail({ status: 503, apiKey: tenant.keys.main })
  await say(simulator, 'k')
  await simulator.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path).includes(tenant.keys.main)).toBe(false)
})

describe('refused with what to do', () => {
  const made = async (): Promise<string> => {
    const path = newFile()
    await (await createSimulator({ store: `file:${path}` })).close()
    return path
  }
  const change = async (text: string): Promise<string> => {
    const path = await made()
    const database = new DatabaseSync(path)
    database.exec(text)
    database.close()
    return path
  }
  const cases: readonly (readonly [string, () => string | Promise<string>, string])[] = [
    ['a kind that there is not', () => 'redis://cache', 'give file:PATH'],
    ['no path', () => 'file:', 'give file:PATH'],
    ['a folder that there is not', () => `file:${folder}/none/a.db`, 'see that its folder is there'],
    ['a folder', () => `file:${folder}`, 'is a folder: give a file'],
    [
      'a text',
      () => (writeFileSync(newFile(), 'no database '.repeat(50)), `file:${folder}/${files}.db`),
      'is no store',
    ],
    ['a stump', () => (writeFileSync(newFile(), 'SQLite'), `file:${folder}/${files}.db`), 'is damaged'],
    [
      'one that was cut',
      async () => {
        const path = await made()
        truncateSync(path, 4096)
        return `file:${path}`
      },
      'is damaged',
    ],
    [
      'a database of others',
      async () => `file:${await change('pragma application_id = 7')}`,
      'of another program',
    ],
    ...['{', '{}'].map(
      (body) =>
        [
          `settings that are ${body}`,
          async () => `file:${await change(`update documents set body = '${body}' where kind = 'settings'`)}`,
          'is damaged: put back a copy',
        ] as const,
    ),
    [
      'a tenant that is no JSON',
      async () => `file:${await change("update documents set body = 'x' where kind = 'tenant'")}`,
      'is damaged: put back a copy',
    ],
    [
      'a log without its file',
      () => (writeFileSync(`${newFile()}-wal`, 'log'), `file:${folder}/${files}.db`),
      'is empty or gone, and its log beside it',
    ],
    ['another version', async () => `file:${await change('pragma user_version = 9')}`, 'of another version'],
  ]
  test.for(cases)('%s', async ([, store, words]) => {
    await expect(createSimulator({ store: await store() })).rejects.toThrow(words)
  })

  test('a file in use, also after a failed start', async () => {
    const options = { store: `file:${newFile()}` }
    const first = await createSimulator(options)
    await expect(createSimulator(options)).rejects.toThrow('in use by another process')
    const { port } = first
    await expect(createSimulator({ store: `file:${newFile()}`, port })).rejects.toThrow('EADDRINUSE')
    await first.close()
    await (await createSimulator(options)).close()
    await (await createSimulator({ store: `file:${folder}/${files}.db` })).close()
  })

  test('options that JSON cannot hold', async () => {
    const retention = { keys: { most: 1, ageMs: Infinity } }
    await expect(createSimulator({ store: `file:${newFile()}`, retention })).rejects.toThrow(
      'The option retention cannot be stored',
    )
  })
})
