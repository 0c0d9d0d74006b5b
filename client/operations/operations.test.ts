import { afterEach, describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../catalogue/operations.ts'
import { InvalidCall, NoAnswer, ServiceError } from '../errors.ts'
import { contractVersion } from '../index.ts'
import { openService, type Scripted, type ServiceDouble } from '../service.testkit.ts'
import { ServiceClient } from '../service-client.ts'

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

  test('LIB-OPERATIONS: of pages without an end is given up', async () => {
    let page = 0
    const fetch = () => Promise.resolve(Response.json({ operations: [], next_cursor: `page-${page++}` }))
    const client = new ServiceClient({ apiKey: 'sk-0', baseUrl: 'https://api.example.com', fetch })
    service = await openService()
    await expect(client.discoverOperations()).rejects.toThrow(NoAnswer)
    expect(page).toBeLessThan(2_000)
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

  test('without a list says what to hand in', async () => {
    service = await openService({ body: { result: [] } })
    const call = service.client().discoverOperations()
    await expect(call).rejects.toThrow(NoAnswer)
    await expect(call).rejects.toThrow(/dialect\.discovery\.list/)
  })
})

describe('an execution', () => {
  test('LIB-OPERATIONS, LIB-WRITE-KEY: posts the input to the route of the operation, with the key as a header', async () => {
    service = await openService({ body: { status: 'completed', data: { id: 'note_1' } } })
    expect(await run({ idempotencyKey: 'note-1' })).toMatchObject({
      status: 'completed',
      data: { id: 'note_1' },
    })
    expect(service.met).toHaveLength(1)
    expect(service.met[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/operation-executions/notes.create',
      body: { input },
      headers: { 'idempotency-key': 'note-1' },
    })
  })

  test('LIB-WRITE-KEY: that is in progress goes out again, when asked, with the same bytes and key', async () => {
    const inProgress: Scripted = { status: 409, body: { error: 'REQUEST_IN_PROGRESS' } }
    service = await openService(inProgress, { body: { status: 'completed', data: null } })
    await run({ idempotencyKey: 'note-1', resendInProgress: { waitMs: 1, times: 1 } })
    const sent = service.met.map(({ text, headers }) => [text, headers['idempotency-key']])
    expect(sent).toEqual([sent[0], sent[0]])
    expect(sent[0]?.[1]).toBe('note-1')
  })

  test('has the envelope that the dialect says', async () => {
    service = await openService({ body: { status: 'completed' } }, { body: { status: 'completed' } })
    const bare = service.client({
      dialect: { execution: { input: '', key: '/idempotency_key' } },
    })
    await bare.executeOperation(write, input, { idempotencyKey: 'k' })
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

  test('without an input fails before anything is sent', async () => {
    service = await openService()
    await expect(service.client().executeOperation(write, undefined)).rejects.toThrow(InvalidCall)
    expect(service.met).toEqual([])
  })
})

describe('a receipt', () => {
  const uncertain = { code: 'OUTCOME_UNCERTAIN', resolution: 'Look first; keep the key.' }
  const receipts: Readonly<Record<string, { answer: Scripted; receipt: object }>> = {
    'LIB-FAILED: failed, with its code and its way out': {
      answer: { status: 422, body: { status: 'failed', error: uncertain } },
      receipt: { status: 'failed', error: uncertain },
    },
    'LIB-FAILED: failed, with a status of its own': {
      answer: { status: 404, body: { status: 'failed', error: uncertain } },
      receipt: { status: 'failed', error: uncertain },
    },
    'LIB-FAILED: failed, within a 200': {
      answer: { body: { status: 'failed', error: uncertain } },
      receipt: { status: 'failed', error: uncertain },
    },
    'LIB-FAILED: failed, with what the owner has to decide': {
      answer: { status: 422, body: { status: 'failed', error: uncertain, approval_id: 'a1' } },
      receipt: { status: 'failed', approvalId: 'a1' },
    },
    'accepted, with its task': {
      answer: { status: 202, body: { status: 'accepted', task_id: 't1' } },
      receipt: { status: 'accepted', taskId: 't1' },
    },
    'accepted, with its task inside': {
      answer: { body: { status: 'accepted', task: { id: 't1' } } },
      receipt: { status: 'accepted', taskId: 't1' },
    },
    'LIB-APPROVAL: pending_approval, which is not finished': {
      answer: { status: 202, body: { status: 'pending_approval', approval: { id: 'a1' } } },
      receipt: { status: 'pending_approval', approvalId: 'a1' },
    },
  }

  test.for(Object.entries(receipts))('%s, is given', async ([, { answer, receipt }]) => {
    service = await openService(answer)
    expect(await run({ idempotencyKey: 'k' })).toMatchObject({ ...receipt, body: answer.body })
    expect(service.met).toHaveLength(1)
  })

  const failed = { status: 'failed', error: { code: 'NO', resolution: 'Ask the owner.' } }
  const refusals: Readonly<Record<string, { answer: Scripted; error: object }>> = {
    'LIB-REFUSED, LIB-NOT-PERMITTED: a 403': {
      answer: { status: 403, body: { error: 'FORBIDDEN' } },
      error: { status: 403, code: 'FORBIDDEN' },
    },
    'LIB-REFUSED: a 403 that looks like a receipt': {
      answer: { status: 403, body: failed },
      error: { status: 403, code: 'NO', advice: 'Ask the owner.' },
    },
    'LIB-RATE-SECONDS, LIB-RATE-WAIT: a 429 that looks like a receipt': {
      answer: { status: 429, body: { ...failed, retry_after_seconds: 2 } },
      error: { status: 429, retryAfterSeconds: 2 },
    },
    'a 409 that is none': {
      answer: { status: 409, body: { error: 'IDEMPOTENCY_CONFLICT' } },
      error: { status: 409 },
    },
    'a 200 that is none': { answer: { body: { ok: true } }, error: { status: 200 } },
  }

  test.for(Object.entries(refusals))('%s is none, and is thrown', async ([, { answer, error }]) => {
    service = await openService(answer, answer)
    const call = run({ idempotencyKey: 'k' })
    await expect(call).rejects.toThrow(ServiceError)
    await expect(call).rejects.toMatchObject(error)
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

  test('VER-NEW-OPERATION: a newer one that is handed in lets it through', async () => {
    service = await openService({ body: { status: 'completed', data: 1 } })
    const catalogue = {
      contract: '2027-03',
      operations: { 'later.operation': { title: 'Later', write: false, input: {} } },
    }
    const receipt = await service.client({ catalogue }).executeOperation('later.operation', {})
    expect(receipt.status).toBe('completed')
  })

  test('LIB-NOT-PERMITTED: what is in it is no permission', async () => {
    service = await openService({ status: 404, body: { error: 'NOT_FOUND' } })
    await expect(run({ idempotencyKey: 'k' })).rejects.toMatchObject({ status: 404 })
    expect(service.met).toHaveLength(1)
  })
})
