/** What a tenant sends under another vendor's word is what it sends under `service`, with other names and no more. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { identifiersOf } from '../spec/identifiers.ts'
import { createControlClient } from './control-client/index.ts'
import { createSimulator } from './simulator.ts'
import type { Tenant, TenantOptions } from './tenant.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
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
