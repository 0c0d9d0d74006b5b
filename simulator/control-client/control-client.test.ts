import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createSimulator, type Simulator } from '../index.ts'
import { postTurn } from '../testing/project.testkit.ts'
import { createControlClient, ControlError, type ControlClient, type ControlledTenant } from './index.ts'

const document = parse(readFileSync(new URL('../../spec/control.yaml', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>
}

/** Method and path of every operation, as a ControlError names it. */
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId }]) =>
    operationId === undefined ? [] : [`${method.toUpperCase()} ${path}`],
  ),
)

const used = new Set<string>()
const recordingFetch: typeof globalThis.fetch = (input, init) => {
  const { method, url } = input as Request
  const { pathname } = new URL(url)
  const route = routes.find((one) =>
    new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${pathname}`),
  )
  if (route) used.add(route)
  return fetch(input, init)
}

const token = 'a-token-of-the-test'
let simulator: Simulator
let control: ControlClient
let tenant: ControlledTenant
beforeAll(async () => {
  simulator = await createSimulator({ controlToken: token, seed: 'control-client' })
  control = createControlClient({ url: `${simulator.url}/`, token, fetch: recordingFetch })
  tenant = await control.createTenant({
    seed: 'mine',
    clock: { mode: 'frozen', at: Date.UTC(2030, 0, 1) },
    credits: 100,
    replyRules: [{ match: { message: 'Where?' }, reply: { text: 'Here.', credits: 2 } }],
  })
})
afterAll(() => simulator.close())

const turn = async (message: string, key: string): Promise<{ status: number; body: string }> => {
  const answer = await postTurn(tenant, key, { message })
  return { status: answer.status, body: await answer.text() }
}

const execute = async (operation: string, input: object): Promise<Record<string, string>> => {
  const answer = await fetch(`${tenant.url}/api/v1/operation-executions/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': operation },
    body: JSON.stringify({ input }),
  })
  return (await answer.json()) as Record<string, string>
}

describe('a tenant in another process', () => {
  test('has its keys, agents and options', async () => {
    expect(await control.health()).toEqual({ status: 'ok' })
    expect(await turn('Where?', 'k1')).toMatchObject({ status: 200, body: expect.stringContaining('Here.') })
    const { seed, accounts } = await tenant.read()
    expect(seed).toBe('mine')
    expect(accounts).toContainEqual({ id: tenant.accounts.main, credits: 98, plan: 'business' })
  })

  test('has a clock', async () => {
    expect(await tenant.clock.read()).toMatchObject({ now: '2030-01-01T00:00:00.000Z' })
    expect(await tenant.clock.advance(60_000)).toMatchObject({ now: '2030-01-01T00:01:00.000Z' })
    expect((await tenant.clock.scale(60)).setting).toEqual({ mode: 'scaled', factor: 60 })
    expect((await tenant.clock.offset(5)).setting).toEqual({ mode: 'offset', ms: 5 })
    expect((await tenant.clock.real()).setting).toEqual({ mode: 'real' })
    expect(await tenant.clock.freeze(new Date('2031-01-01'))).toMatchObject({
      now: '2031-01-01T00:00:00.000Z',
    })
  })

  test('stops a turn until it is released, and kills another', async () => {
    const barrier = await tenant.barriers.hold({ at: 'before-run', key: 'held' })
    const answer = turn('Hello', 'held')
    await barrier.reached()
    await expect(barrier.reached(2, { timeoutMs: 1 })).rejects.toThrow(
      /^1 of 2 expected turns reached .+ within 1 ms/,
    )
    expect(await tenant.barriers.list()).toMatchObject([{ id: barrier.id, held: 1 }])
    expect(await turn('Hello', 'held')).toMatchObject({ status: 409 })
    expect(await tenant.barriers.find(barrier.id).release()).toBe(1)
    expect(await answer).toMatchObject({ status: 200 })

    const deadly = await tenant.barriers.hold({ at: 'after-token:1', key: 'dies' })
    const dying = turn('Hello', 'dies').catch(() => 'cut')
    await deadly.reached()
    expect(await deadly.crash()).toBe(1)
    expect(await dying).toBe('cut')
  })

  test('returns journal entries, or names the nearest', async () => {
    const found = await tenant.journal.waitFor({
      code: 'REQUEST_IN_PROGRESS',
      path: '/api/v1/chat',
      body: { message: 'Hello' },
      headers: { 'Idempotency-Key': 'held' },
    })
    expect(found).toMatchObject([{ status: 409, closedBy: 'server' }])
    expect(await tenant.journal.entries({ after: 1 }, { limit: 1 })).toHaveLength(1)
    await expect(tenant.journal.waitFor({ status: 418 }, { timeoutMs: 1 })).rejects.toThrow(
      '(another status)',
    )
    await tenant.journal.expectNone({ status: 418 }, { before: { status: 409 } })
    await expect(tenant.journal.expectNone({ status: 200 }, { before: { status: 409 } })).rejects.toThrow(
      /Expected none before #\d+ POST .+ → 409:\n {2}#1 POST .+ → 200/,
    )
  })

  test('shows what it contains', async () => {
    expect(await control.tenants()).toMatchObject([{ isDefault: true }, { id: tenant.id, isDefault: false }])
    expect((await tenant.credentials()).keys).toEqual(tenant.keys)
    expect((await tenant.replyRules()).replyRules[0]).toMatchObject({ reply: { text: 'Here.' } })
    expect(await tenant.idempotencyKeys({ limit: 1 })).toMatchObject({ keys: [{ key: 'dies' }], left: 1 })
    expect([
      await tenant.networkFaults(),
      await tenant.failures(),
      await tenant.turns(),
      await tenant.webhooks(),
      await tenant.uploads(),
    ]).toEqual([[], [], [], [], []])
  })

  test('follows the journal', async () => {
    const seen: string[] = []
    for await (const event of tenant.journal.follow({ since: 0 })) {
      seen.push(event.type)
      if (event.type === 'end') break
    }
    expect(seen).toEqual(['request', 'headers', 'chunk', 'end'])
  })

  test('changes modifications, states, agents, accounts, reply rules and network faults', async () => {
    await tenant.setModifications({
      faults: ['replay-unmarked'],
      interpretations: { 'GAP-IDENTICAL': 'conflict' },
    })
    await tenant.setModifications({ variants: ['ascii-json'] })
    expect(await tenant.read()).toMatchObject({
      faults: [],
      variants: ['ascii-json'],
      interpretations: { 'GAP-IDENTICAL': 'replay' },
    })
    const outage = await tenant.enterState('server.503')
    expect(await turn('Hello', 'k2')).toMatchObject({ status: 503 })
    await outage.leave()
    await tenant.fail({ status: 500, times: 2 })
    expect(await turn('Hello', 'k2')).toMatchObject({ status: 500 })
    await tenant.clearFailures()
    await tenant.setAllowed(tenant.agents.plain, false)
    expect(await turn('Hello', 'k2')).toMatchObject({ status: 403 })
    await tenant.setAllowed(tenant.agents.plain, true)
    await tenant.pause(tenant.agents.plain)
    await tenant.resume(tenant.agents.plain)
    await tenant.setPlan(tenant.accounts.main, 'enterprise')
    await tenant.setCredits(tenant.accounts.main, 0)
    expect(await turn('Hello', 'k2')).toMatchObject({ status: 402 })
    await tenant.setCredits(tenant.accounts.main, 9)
    await tenant.addReplyRules([{ match: {}, reply: { text: 'Mine.' } }])
    await tenant.addNetworkFaults([{ do: { is: 'cut', when: 'before' } }])
    await expect(turn('Hello', 'k2')).rejects.toThrow('fetch failed')
    await tenant.clearNetworkFaults()
    expect(await turn('Hello', 'k2')).toMatchObject({ body: expect.stringContaining('Mine.') })
    expect(await tenant.prepareSituation('rate-limit')).toMatchObject({ agent: tenant.agents.plain })
  })

  test('decides approvals, steps tasks and emits events', async () => {
    await tenant.setTaskPace({ by: 'hand' })
    const { approval_id: held = '' } = await execute('customers.erase', {
      customerId: 'cus_1001',
      reason: 'law',
    })
    const { task_id: long = '' } = await execute('reports.build', { period: '2030-01' })
    expect(await tenant.approvals()).toMatchObject([{ id: held, state: 'pending' }])
    expect(await tenant.decide(held, 'rejected')).toMatchObject({ state: 'rejected' })
    expect((await tenant.tasks()).map(({ id }) => id)).toContain(long)
    expect(await tenant.stepTask(long, 'next')).toMatchObject({ state: 'running' })
    expect(await tenant.emit('leads.submit', { agent: 'plain', payload: { name: 'Ann' } })).toEqual([])
    expect(await tenant.deliveries()).toEqual([])
    await expect(tenant.lapseUpload({ idempotencyKey: 'none' })).rejects.toThrow('prepare it first')
    await expect(tenant.again('whd_none')).rejects.toThrow('There is no delivery `whd_none`')
    await expect(tenant.sentAttempts('whd_none')).rejects.toThrow('There is no delivery `whd_none`')
  })

  test('lists faults, variants, interpretations and situations', async () => {
    expect(await control.document('openapi')).toMatchObject({ openapi: '3.1.0' })
    const lists = [control.faults(), control.variants(), control.interpretations(), control.situations()]
    for (const list of await Promise.all(lists)) expect(list.length).toBeGreaterThan(5)
  })

  test('returns to a snapshot, by name and by document', async () => {
    await tenant.snapshots.save('now')
    expect(await tenant.snapshots.list()).toMatchObject([{ name: 'now' }])
    await tenant.setCredits(tenant.accounts.main, 3)
    for (const snapshot of ['now', await tenant.snapshots.download('now')]) {
      await tenant.snapshots.restore(snapshot)
      expect(await tenant.snapshots.download('now')).toEqual(await tenant.snapshots.download())
    }
    await tenant.snapshots.delete('now')
  })

  test('resets and closes a tenant', async () => {
    await tenant.reset()
    expect(await tenant.journal.entries()).toEqual([])
    await tenant.close()
    expect(await turn('Hello', 'k3')).toMatchObject({ status: 401 })
  })

  test('uses every route of spec/control.yaml', () => {
    expect([...used].sort()).toEqual([...routes].sort())
  })
})

describe('a control client', () => {
  test('with the address of a tenant controls it', async () => {
    const { id } = simulator.tenant
    const one = createControlClient({ url: `${simulator.url}/_sim/v1/tenants/${id}`, token })
    expect(one.url).toBe(simulator.url)
    expect(await one.tenant().read()).toMatchObject({ id })
    expect(() => control.tenant()).toThrow('give the id of a tenant')
    expect(() => createControlClient({ url: 'localhost' })).toThrow('"localhost"')
  })

  test('rejects with the status and the reason', async () => {
    const stranger = createControlClient({ url: simulator.url })
    const refused = await stranger.createTenant().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ControlError)
    expect(refused).toMatchObject({ name: 'ControlError', request: 'POST /_sim/v1/tenants', status: 401 })
    await expect(control.tenant('t/9').read()).rejects.toThrow(
      'GET /_sim/v1/tenants/{tenantId} failed with status 404: There is no tenant `t/9`: create one',
    )
  })

  test('checks names at compile time', () => {
    const never = async (): Promise<void> => {
      // @ts-expect-error -- no such fault
      await control.createTenant({ faults: ['replay-unmarkd'] })
      // @ts-expect-error -- no such interpretation of this gap
      await control.createTenant({ interpretations: { 'GAP-IDENTICAL': 'replai' } })
      // @ts-expect-error -- no such state
      await tenant.enterState('chat.pausd')
      // @ts-expect-error -- no such point
      await tenant.barriers.hold({ at: 'after-run' })
      // @ts-expect-error -- no such code
      await tenant.journal.waitFor({ code: 'IN_PROGRESS' })
      // @ts-expect-error -- no such key
      void tenant.keys.mian
    }
    expect(never).toBeTypeOf('function')
  })
})
