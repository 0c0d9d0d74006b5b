/** What one process leaves in its file, and what the next one makes of it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { postTurn } from '../testing/project.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
let files = 0
const newFile = (): string => join(folder, `${++files}.db`)

async function say({ tenant }: Simulator, key: string): Promise<{ status: number; text: string }> {
  const response = await postTurn(tenant, key, { message: 'hello' })
  return { status: response.status, text: await response.text() }
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
  [
    'a turn in flight as uncertain',
    hold,
    async (one) => (await say(one, 'k')).text,
    expect.stringContaining('OUTCOME_UNCERTAIN'),
  ],
  ['nothing reserved for a turn in flight', hold, ({ tenant }) => tenant.credits('main'), 1_000_000],
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
    'an outage until it is cleared',
    ({ tenant }) => tenant.fail({ status: 503, times: Infinity, apiKey: tenant.keys.main }),
    async (one) => (await say(one, 'k')).status,
    503,
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
  const changed = (text: string) => async (): Promise<string> => {
    const path = await made()
    const database = new DatabaseSync(path)
    database.exec(text)
    database.close()
    return `file:${path}`
  }
  const written =
    (text: string, end = '') =>
    (): string => {
      const path = newFile()
      writeFileSync(`${path}${end}`, text)
      return `file:${path}`
    }
  const settings = (body: string) => changed(`update documents set body = '${body}' where kind = 'settings'`)
  const noJson = changed("update documents set body = 'x' where kind = 'tenant'")
  const cut = async (): Promise<string> => {
    const path = await made()
    truncateSync(path, 4096)
    return `file:${path}`
  }
  const cases: readonly (readonly [string, () => string | Promise<string>, string])[] = [
    ['a kind that there is not', () => 'redis://cache', 'give file:PATH'],
    ['no path', () => 'file:', 'give file:PATH'],
    ['a folder that there is not', () => `file:${folder}/none/a.db`, 'create its folder first'],
    ['a folder', () => `file:${folder}`, 'is a folder: give a file'],
    ['a text', written('no database '.repeat(50)), 'is no store'],
    ['a stump', written('SQLite'), 'is damaged'],
    ['one that was cut', cut, 'is damaged'],
    ['a database of others', changed('pragma application_id = 7'), 'of another program'],
    ['settings that break off', settings('{'), 'is damaged: put back a copy'],
    ['settings that are empty', settings('{}'), 'is damaged: put back a copy'],
    ['a tenant that is no JSON', noJson, 'is damaged: put back a copy'],
    ['a log without its file', written('log', '-wal'), 'is empty or gone, and its log beside it'],
    ['another version', changed('pragma user_version = 9'), 'of another version'],
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
