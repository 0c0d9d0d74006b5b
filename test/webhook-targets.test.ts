/** No way through the simulator leads a delivery to an address that is blocked. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator/index.ts'
import { openCanary, type Canary } from '../simulator/webhooks/guard/canary.testkit.ts'

let canary: Canary
let opened: Simulator[] = []
beforeEach(async () => {
  canary = await openCanary()
})
afterEach(async () => {
  for (const simulator of opened) await simulator.close()
  opened = []
  canary.close()
})

const atDelivery = { 'GAP-BLOCKED-WHEN': 'delivery' } as const
const followed = { 'GAP-REDIRECT': 'followed' } as const
const inProduction = { 'GAP-DEVELOPMENT': 'never' } as const

const notations = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '１２７.０.０.１',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  'localhost.',
  'app.localhost',
]
const targets = { names: { 'mixed.example': ['8.8.8.8', '127.0.0.1'], 'six.example': ['::1'] } }
const names = ['loopback.example', 'mixed.example', 'six.example']

/** A signed-in user of a simulator whose time stands still. */
async function open(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, targets, ...options })
  opened.push(simulator)
  const { tenant } = simulator
  const manage = async (method: string, path: string, fields?: object) => {
    const response = await fetch(`${simulator.url}/api/agents/${tenant.agents.plain}/webhooks${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: `session=${tenant.sessions.main}` },
      body: fields ? JSON.stringify(fields) : null,
    })
    const body = (await response.json()) as {
      id?: string
      logs?: { success: boolean; status_code: number | null }[]
    }
    return { status: response.status, id: body.id ?? '', logs: body.logs ?? [] }
  }
  const create = (endpoint_url: string) =>
    manage('POST', '', { name: 'Canary', endpoint_url, events: ['leads.submit'] })
  return {
    tenant,
    create,
    update: (id: string, endpoint_url: string) => manage('PATCH', `/${id}`, { endpoint_url }),
    endpointOf: (id: string) => tenant.state.webhooks.get(id)?.endpointUrl,
    /** One sample and one live delivery, each until it ended; what the log and the attempts say of them. */
    deliver: async (id: string) => {
      await manage('POST', `/${id}/test`)
      tenant.emit('leads.submit')
      await tenant.clock.advance(60_000)
      const { logs } = await manage('GET', `/${id}/logs`)
      const deliveries = tenant.state.outbox.deliveriesOf(id)
      const outcomes = deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))
      return {
        logged: logs.map((entry) => [entry.success, entry.status_code]),
        outcomes: [...new Set(outcomes)],
      }
    },
  }
}

const at = (scheme: string, host: string, path = '/'): string => `${scheme}://${host}:${canary.port}${path}`
const everywhere = (hosts: readonly string[]): string[] => hosts.map((host) => at('https', host))
const blockedTwice = {
  logged: [
    [false, null],
    [false, null],
  ],
  outcomes: ['blocked'],
}

describe('a blocked address as it is written', () => {
  test.for(notations)('cannot be created or set: %s', async (host) => {
    const { create, update, endpointOf } = await open()
    const { id } = await create('https://hooks.example.org/a')
    for (const scheme of ['https', 'http']) {
      expect((await create(at(scheme, host))).status).toBe(400)
      expect((await update(id, at(scheme, host))).status).toBe(400)
    }
    expect(endpointOf(id)).toBe('https://hooks.example.org/a')
    expect(canary.received.connections).toBe(0)
  })

  test('gets no delivery where it can be created or set', async () => {
    for (const url of everywhere(notations)) {
      const { create, update, deliver } = await open({ interpretations: atDelivery })
      const created = await create(url)
      expect(await deliver(created.id), url).toEqual(blockedTwice)
      const updated = await create('https://hooks.example.org/a')
      expect((await update(updated.id, url)).status).toBe(200)
      expect(await deliver(updated.id), url).toEqual(blockedTwice)
    }
    expect(canary.received.connections).toBe(0)
  })
})

describe('a name', () => {
  test.for(names)('that resolves to a blocked address gets no delivery: %s', async (name) => {
    const { create, update, deliver } = await open()
    const created = await create(at('https', name))
    expect(created.status).toBe(201)
    expect(await deliver(created.id)).toEqual(blockedTwice)
    const updated = await create('https://hooks.example.org/a')
    expect((await update(updated.id, at('https', name))).status).toBe(200)
    expect(await deliver(updated.id)).toEqual(blockedTwice)
    expect(canary.received.connections).toBe(0)
  })

  test('and an address get deliveries when a laboratory lets them through, whatever happens to its modifications', async () => {
    const { tenant, create, deliver } = await open({
      targets: { allow: ['127.0.0.0/8', 'loopback.example'] },
    })
    const check = async (host: string) => {
      const { id } = await create(at('http', host))
      expect(await deliver(id)).toMatchObject({
        logged: [
          [true, 204],
          [true, 204],
        ],
      })
    }
    await check('127.0.0.1')
    tenant.reset()
    await check('127.1')
    tenant.setModifications({ interpretations: inProduction })
    await check('loopback.example')
  })
})

describe('a redirect', () => {
  test('that is followed leads to no blocked address', async () => {
    const forbidden = [
      ...everywhere([...notations, ...names]),
      at('http', '127.0.0.1'),
      at('http', 'example.org'),
    ]
    const doorman = await openCanary()
    const { create, deliver } = await open({ interpretations: followed })
    for (const url of forbidden) {
      const { id } = await create(`http://localhost:${doorman.port}/to?${url}`)
      expect(await deliver(id), url).toEqual(blockedTwice)
    }
    doorman.close()
    expect(doorman.received.requests.length).toBeGreaterThan(0)
    expect(canary.received.connections).toBe(0)
  })

  test('is followed under that interpretation alone, to where it may lead', async () => {
    const url = at('http', 'localhost', `/to?${at('http', 'localhost', '/end')}`)
    for (const [interpretations, end] of [
      [{}, false],
      [followed, true],
    ] as const) {
      const { create, deliver } = await open({ interpretations })
      await deliver((await create(url)).id)
      expect(canary.received.requests.includes('POST /end')).toBe(end)
    }
  })
})

describe('localhost', () => {
  test('in development gets its deliveries', async () => {
    const { create, deliver } = await open()
    const { id } = await create(at('http', 'localhost', '/hooks'))
    expect((await deliver(id)).outcomes).toEqual(['delivered'])
    expect(canary.received.requests).toEqual(['POST /hooks', 'POST /hooks'])
  })

  test('in production is refused, and gets nothing over a connection from before', async () => {
    const { tenant, create, deliver } = await open()
    const { id } = await create(at('http', 'localhost'))
    await deliver(id)
    tenant.setModifications({ interpretations: inProduction })
    const before = canary.received.requests.length
    expect(before).toBe(2)
    for (const scheme of ['http', 'https']) expect((await create(at(scheme, 'localhost'))).status).toBe(400)
    expect((await deliver(id)).outcomes).toEqual(['delivered', 'blocked'])
    expect(canary.received.requests).toHaveLength(before)
  })
})
