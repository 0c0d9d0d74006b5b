import { afterEach, describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../catalogue/operations.ts'
import { InvalidCall, ServiceError } from '../errors.ts'
import { contractVersion } from '../index.ts'
import { openService, type Scripted, type ServiceDouble } from '../service.testkit.ts'

let service: ServiceDouble
afterEach(() => service.close())

const write = 'notes.create'
const input = { text: 'Call back.' }
const run = (options = {}) => service.client().executeOperation(write, input, options)

describe('discovery', () => {
  const schema = { type: 'object' }
  const shapes: Readonly<Record<string, unknown>> = {
    'an object with a list': { operations: [{ id: 'a.b', inputSchema: schema, title: 't' }] },
    'a bare list': [{ operation_id: 'a.b', input_schema: schema, title: 't' }],
  }

  test.for(Object.entries(shapes))('LIB-OPERATIONS: is read from %s', async ([, body]) => {
    service = await openService({ body })
    const [operation, ...others] = await service.client().discoverOperations()
    expect(service.met[0]).toMatchObject({ method: 'GET', path: '/api/v1/operations' })
    expect(operation).toMatchObject({ id: 'a.b', inputSchema: schema, body: { title: 't' } })
    expect(others).toEqual([])
  })

  test('LIB-OPERATIONS: is read page by page, and ends where a page leads to one that was read', async () => {
    const page = (id: string, next_cursor: unknown): Scripted => ({
      body: { operations: [{ id }], next_cursor },
    })
    service = await openService(page('a', 'x&y'), page('b', 3), page('c', 'x&y'))
    const rows = await service.client().discoverOperations()
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    const root = '/api/v1/operations'
    expect(service.met.map(({ path }) => path)).toEqual([root, `${root}?cursor=x%26y`, `${root}?cursor=3`])
  })

  test.for([
    [{ today: { dishes: { soup: { takes: {} }, pie: { takes: { type: 'object' } } } } }, '/today/dishes'],
    [{ soup: { takes: {} }, pie: { takes: { type: 'object' } } }, ''],
  ] as const)('is read where operations are members of an object: %j', async ([body, list]) => {
    service = await openService({ body })
    const discovery = { list, schema: '/takes' }
    const rows = await service.client({ dialect: { discovery } }).discoverOperations()
    expect(rows.map(({ id, inputSchema }) => [id, inputSchema])).toEqual([
      ['soup', {}],
      ['pie', { type: 'object' }],
    ])
  })

  test('is read from where the dialect says', async () => {
    service = await openService({ body: { result: { items: [{ key: 'a.b' }] } } })
    const discovery = { list: ['/result/items'], id: ['/key'] }
    const rows = await service.client({ dialect: { discovery } }).discoverOperations()
    expect(rows).toEqual([{ id: 'a.b', inputSchema: null, body: { key: 'a.b' } }])
  })
})

describe('an execution', () => {
  test('has the envelope that the dialect says', async () => {
    service = await openService({ body: { status: 'completed' } })
    const execution = { input: '', key: '/idempotency_key' }
    await service.client({ dialect: { execution } }).executeOperation(write, input, { idempotencyKey: 'k' })
    expect(service.met[0]?.body).toEqual({ ...input, idempotency_key: 'k' })
  })

  test('LIB-WRITE-KEY: has the header, and the depth, that the dialect says', async () => {
    service = await openService({ body: { status: 'completed' } })
    const execution = { input: '/call/arguments', keyHeader: 'X-Deed' }
    await service.client({ dialect: { execution } }).executeOperation(write, input, { idempotencyKey: 'k' })
    expect(service.met[0]?.body).toEqual({ call: { arguments: input } })
    const { 'x-deed': own, 'idempotency-key': usual } = service.met[0]?.headers ?? {}
    expect([own, usual]).toEqual(['k', undefined])
  })
})

describe('a receipt', () => {
  const error = { code: 'OUTCOME_UNCERTAIN', resolution: 'Look first; keep the key.' }
  const failed = { status: 'failed', error }
  const pending = { status: 202, body: { status: 'pending_approval', approval: { id: 'a1' } } }
  const accepted = (task: object) => ({ status: 202, body: { status: 'accepted', ...task } })
  const heldBack = { status: 422, body: { ...failed, approval_id: 'a1' } }
  const limited = { status: 429, body: { ...failed, retry_after_seconds: 2 } }

  test.for<[what: string, answer: Scripted, receipt: object]>([
    ['failed, with its code and its way out', { status: 422, body: failed }, failed],
    ['failed, with a status of its own', { status: 404, body: failed }, failed],
    ['failed, within a 200', { body: failed }, failed],
    ['failed, for the owner to decide', heldBack, { approvalId: 'a1' }],
    ['accepted, with its task', accepted({ task_id: 't1' }), { taskId: 't1' }],
    ['accepted, with its task inside', accepted({ task: { id: 't1' } }), { taskId: 't1' }],
    ['pending, which is not finished', pending, { status: 'pending_approval', approvalId: 'a1' }],
  ])('that is %s, is given', async ([, answer, receipt]) => {
    service = await openService(answer)
    expect(await run({ idempotencyKey: 'k' })).toMatchObject({ ...receipt, body: answer.body })
    expect(service.met).toHaveLength(1)
  })

  test.for<[what: string, answer: Scripted, thrown: object]>([
    ['a 403', { status: 403, body: { error: 'FORBIDDEN' } }, { status: 403, code: 'FORBIDDEN' }],
    [
      'a 403 that looks like one',
      { status: 403, body: failed },
      { code: error.code, advice: error.resolution },
    ],
    ['a 404', { status: 404, body: { error: 'NOT_FOUND' } }, { status: 404 }],
    ['a 429 that looks like one', limited, { status: 429, retryAfterSeconds: 2 }],
    ['a 409 without one', { status: 409, body: { error: 'IDEMPOTENCY_CONFLICT' } }, { status: 409 }],
    ['a 200 without one', { body: { ok: true } }, { status: 200 }],
  ])('is not read from %s, which is thrown', async ([, answer, thrown]) => {
    service = await openService(answer, answer)
    const call = run({ idempotencyKey: 'k' })
    await expect(call).rejects.toThrow(ServiceError)
    await expect(call).rejects.toMatchObject(thrown)
    expect(service.met).toHaveLength(1)
  })
})

describe('the embedded catalogue', () => {
  test('VER-EMBEDDED: is of a contract that has a name, and has operations', () => {
    expect(contractVersion).toMatch(/^\d{4}-\d{2}$/)
    expect(embeddedCatalogue.contract).toBe(contractVersion)
    expect(Object.keys(embeddedCatalogue.operations)).toContain('agent_setup.inspect')
  })

  test.for(['later.operation', '__proto__', 'toString'])(
    'VER-NEW-OPERATION: %s is not in it, and is refused before anything is sent',
    async (id) => {
      service = await openService()
      const call = service.client().executeOperation(id, {})
      await expect(call).rejects.toThrow(InvalidCall)
      await expect(call).rejects.toThrow(/Upgrade the package/)
      expect(service.met).toEqual([])
    },
  )
})
