/** What a tenant sends under another vendor's word is what it sends under `service`, with other names and no more. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  contractIdentifiers,
  identifiersOf,
  type IdentifierName,
  type Identifiers,
} from '../spec/identifiers.ts'
import { createControlClient } from './control-client/index.ts'
import { createSimulator, type SimulatorOptions } from './simulator.ts'
import type { Modifications, Tenant, TenantOptions } from './tenant.ts'
import { openManager, textAt } from './webhooks/management/management.testkit.ts'
import { receive } from './webhooks/delivery/outbox.testkit.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

type Line = readonly [name: string, value: string]
const pairs = (raw: readonly string[]): readonly Line[] =>
  raw.flatMap((name, at): readonly Line[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))

/** Not of the tenant: ports and times of the machine. */
const machine = new Set(['host', 'date'])

/** Every header of a turn, of two replays and of a delivery that is retried, with custom headers of all kinds. */
async function sent(options: SimulatorOptions, own: Identifiers): Promise<readonly Line[]> {
  const { simulator, manage } = await openManager({ seed: 'vendor', control: false, ...options })
  open.push(simulator)
  const receiver = await receive()
  receiver.script('/hook', 500, 500, 200)
  const { tenant } = simulator
  const turn = async (message: string): Promise<readonly Line[]> => {
    const answer = await fetch(`${tenant.url}/api/v1/chat/${tenant.agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': message },
      body: JSON.stringify({ message, stream: message === 'streamed' }),
    })
    await answer.text()
    return [...answer.headers]
  }
  const turns: Line[] = []
  for (const message of ['a', 'a', 'a', 'a', 'streamed', 'streamed']) turns.push(...(await turn(message)))
  const custom = {
    [own.signatureHeader.toUpperCase()]: 'custom',
    [own.eventHeader]: 'custom',
    [own.deliveryIdHeader.replace('delivery', 'deLivery')]: 'custom',
    [own.replayHeader]: 'custom',
    'X-Team': 'custom',
  }
  const fields = { endpoint_url: `${receiver.url}/hook`, custom_headers: custom }
  const made = await manage('POST', '', { name: 'Orders', events: ['leads.submit'], ...fields })
  expect(made.status).toBe(201)
  tenant.emit('leads.submit')
  await tenant.clock.advance(60_000)
  await manage('POST', `/${textAt(made, 'id')}/test`)
  await receiver.arrived(4)
  const deliveries = receiver.taken.flatMap(({ method, raw }) => [['method', method] as const, ...pairs(raw)])
  return [...turns, ...deliveries].filter(([name]) => !machine.has(name.toLowerCase()))
}

/** With placeholders for what differs from vendor to vendor. */
function withoutNames(lines: readonly Line[], vendor: string, own: Identifiers): string {
  const text = lines.map(([name, value]) => `${name}: ${value}`.toLowerCase()).join('\n')
  const names = Object.keys(own) as IdentifierName[]
  return names
    .reduce((left, name) => left.replaceAll(new RegExp(own[name], 'gi'), `{${name}}`), text)
    .replaceAll(`x-${vendor}-`, 'x-{vendor}-')
    .split('\n')
    .toSorted()
    .join('\n')
}

/** All that have anything to do with a name. */
const modifications: readonly Modifications[] = [
  {},
  ...(
    [
      'replay-unmarked',
      'replay-marked-yes',
      'fresh-marked',
      'third-replay-unmarked',
      'streamed-replay-unmarked',
      'signature-of-another-name',
      'signature-kept',
      'samples-unsigned',
      'retries-unsigned',
      'signature-without-prefix',
      'third-attempt-of-another-id',
      'third-attempt-signed-as-before',
      'sample-called-test',
      'event-header-underscored',
      'retry-without-event',
      'custom-headers-win',
      'custom-headers-beside',
      'custom-headers-win-in-mixed-case',
      'own-user-agent',
      'talkative-user-agent',
    ] as const
  ).map((name) => ({ faults: [name] })),
  { variants: ['fresh-denies-replay', 'delivery-further-headers'] },
]

const words = ['acme', 'acme-corp', 'a2z'] as const

describe.for(words)('under the word %s', (vendor) => {
  const own = identifiersOf(vendor)

  test.for(modifications)('with %j, only the names differ', async (chosen) => {
    const [contract, named] = [
      await sent(chosen, contractIdentifiers),
      await sent({ ...chosen, vendor }, own),
    ]
    expect(withoutNames(named, vendor, own)).toBe(withoutNames(contract, 'service', contractIdentifiers))
    expect(JSON.stringify(named)).not.toMatch(/service/i)
  })

  test('a custom header is refused for the name of the vendor, and not for the name in the contract', async () => {
    const interpretations = { 'GAP-RESERVED-HEADER': 'refused' } as const
    const { simulator, create } = await openManager({ vendor, interpretations })
    open.push(simulator)
    const make = async (name: string) => (await create({ custom_headers: { [name]: 'x' } })).status
    expect(await make(own.eventHeader.toUpperCase())).toBe(400)
    expect(await make(contractIdentifiers.eventHeader)).toBe(201)
  })

  test('a situation shows its names', async () => {
    const simulator = await createSimulator({ vendor })
    open.push(simulator)
    const { steps } = await simulator.tenant.prepareSituation('slow-turn')
    expect(steps.at(-1)?.shows).toBe(`${own.replayHeader}: true`)
  })
})

/** What a tenant is described with. */
const described = (vendor: string, identifiers: TenantOptions['identifiers'] = {}) => ({
  vendor,
  identifiers: identifiersOf(vendor, identifiers),
})

test('a tenant has a word of its own, or that of the simulator, and says which', async () => {
  const overrides = { replayHeader: 'X-Replayed' }
  const simulator = await createSimulator({ vendor: 'acme', identifiers: overrides, control: true })
  open.push(simulator)
  const control = createControlClient({ url: simulator.url })
  const made = async (options: TenantOptions) => {
    const tenant = await control.createTenant(options)
    expect(await tenant.read()).toMatchObject({ vendor: tenant.vendor, identifiers: tenant.identifiers })
    return { vendor: tenant.vendor, identifiers: tenant.identifiers }
  }
  expect(simulator.tenant).toMatchObject(described('acme', overrides))
  expect(await made({})).toEqual(described('acme', overrides))
  expect(await made({ vendor: 'A2Z' })).toEqual(described('a2z'))
  const userAgent = 'Hooks/2'
  expect(await made({ identifiers: { userAgent } })).toEqual(described('acme', { ...overrides, userAgent }))
  simulator.createTenant({ seed: 'own' }).reset()
  expect(simulator.tenants.map(({ vendor }) => vendor)).toEqual(['acme', 'acme', 'a2z', 'acme', 'acme'])
})

test.for([
  [{ vendor: 'acme corp' }, 'write one word'],
  [{ vendor: '2go' }, 'override `baseUrlVariable`'],
  [{ identifiers: { replayHeader: 'X Replayed' } }, 'replayHeader is "X Replayed"'],
  [{ identifiers: { replay: 'X-Replayed' } }, 'replay'],
] as const)('a tenant with %j is refused with what to write', async ([body, words]) => {
  const simulator = await createSimulator()
  open.push(simulator)
  const answer = await fetch(`${simulator.url}/_sim/v1/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
    400,
    expect.stringContaining(words),
  ])
  expect(simulator.tenants).toHaveLength(1)
})

test('a word is stored with its tenant, and one without a word speaks as the contract does', async () => {
  const store = `file:${join(mkdtempSync(join(tmpdir(), 'touchstone-vendor-')), 'store.db')}`
  const begin = async () => {
    const simulator = await createSimulator({ store })
    open.unshift(simulator)
    return simulator
  }
  const first = await begin()
  const plain = first.createTenant({ seed: 'plain' })
  const named = first.createTenant({
    seed: 'named',
    vendor: 'acme',
    identifiers: { userAgent: 'Hooks/2' },
  })
  await first.close()
  const control = createControlClient({ url: (await begin()).url })
  const said = async ({ id }: Tenant) => {
    const { vendor, identifiers } = await control.tenant(id).read()
    return { vendor, identifiers }
  }
  expect(await said(plain)).toEqual(described('service'))
  expect(await said(named)).toEqual(described('acme', { userAgent: 'Hooks/2' }))
})
