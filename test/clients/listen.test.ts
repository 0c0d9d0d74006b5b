/** The listener against the simulator: what one delivers, the other has nothing to complain of. */
import { afterEach, describe, expect, it } from 'vitest'
import { main } from '../../cli/main.ts'
import { testIo } from '../../cli/process.testkit.ts'
import { sessionHeader } from '../../cli/simulate/greeting.ts'
import { createSimulator, type Tenant, type TenantOptions } from '../../simulator/index.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function tenantOf(options: TenantOptions = {}): Promise<Tenant> {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, ...options })
  closing.push(() => simulator.close())
  return simulator.tenant
}

async function manage(tenant: Tenant, method: string, path: string, body: object | null): Promise<unknown> {
  const answer = await fetch(`${tenant.url}/api/agents/${tenant.agents.plain}/webhooks${path}`, {
    method,
    headers: [sessionHeader(tenant), ['Content-Type', 'application/json']],
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBeLessThan(300)
  return answer.json()
}

type Line = Readonly<Record<string, unknown>>

/** A webhook of the tenant, and a listener that knows its secret; gives what it printed. */
async function listened(
  tenant: Tenant,
  answers: string,
): Promise<{ id: string; deliveries: () => readonly Line[] }> {
  const events = ['leads.submit', 'order.confirmed']
  const wish = { name: 'Mine', endpoint_url: 'http://localhost:1/', events }
  const made = (await manage(tenant, 'POST', '', wish)) as { id: string; secret_key: string }
  const io = testIo({ env: { SECRET: made.secret_key } })
  const ended = main(['listen', '--port', '0', '--json', '--secret', 'env:SECRET', '--answer', answers], io)
  closing.push(() => (io.stop(), ended))
  const lines = (): Line[] =>
    io.printed.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  await expect.poll(() => lines().length).toBe(1)
  const url = String(lines()[0]?.['url'])
  await manage(tenant, 'PATCH', `/${made.id}`, { endpoint_url: url })
  return { id: made.id, deliveries: () => lines().filter(({ is }) => is === 'delivery') }
}

describe('touchstone listen hears the simulator', () => {
  it('deliver an event three times under one id, each time signed, until it is answered 200', async () => {
    const tenant = await tenantOf()
    const { deliveries } = await listened(tenant, '500,503,200')
    const [id] = tenant.emit('order.confirmed')
    await expect.poll(() => deliveries().length).toBe(1)
    await tenant.clock.advance(60_000)
    await expect.poll(() => deliveries().length).toBe(3)
    const reported = {
      id,
      event: 'order.confirmed',
      test: false,
      duplicate: false,
      signature: 'ok',
      problems: [],
    }

    expect(deliveries()).toMatchObject([
      { ...reported, attempt: 1, status: 500 },
      { ...reported, attempt: 2, status: 503 },
      { ...reported, attempt: 3, status: 200 },
    ])
  })

  it('deliver a test, and a duplicate of what was answered 200', async () => {
    const tenant = await tenantOf()
    const { id, deliveries } = await listened(tenant, '200')
    await manage(tenant, 'POST', `/${id}/test`, null)
    await expect.poll(() => deliveries().length).toBe(1)
    const [live = ''] = tenant.emit('leads.submit')
    await expect.poll(() => deliveries().length).toBe(2)
    tenant.again(live, { sameId: true })
    await expect.poll(() => deliveries().length).toBe(3)

    expect(deliveries()).toMatchObject([
      { test: true, duplicate: false, signature: 'ok', problems: [] },
      { test: false, id: live, attempt: 1, duplicate: false },
      { test: false, id: live, attempt: 2, duplicate: true, signature: 'ok', problems: [] },
    ])
  })
})
