import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { at, openProject, type Project } from '../testing/project.testkit.ts'
import { samples } from '../testing/samples.testkit.ts'
import type { KeyRole } from '../tenant/fixtures.ts'
import { connectMcp, type McpClient } from '../testing/mcp-client.testkit.ts'

let project: Project
beforeEach(async () => {
  project = await openProject()
})
afterEach(() => project.simulator.close())

function connect(as: KeyRole = 'main'): Promise<McpClient> {
  const { url, tenant } = project.simulator
  return connectMcp(`${url}/mcp`, { authorization: `Bearer ${tenant.keys[as]}` })
}

interface Called {
  readonly receipt: JsonObject
  readonly isError: boolean
}

/** The result of a tool, whose text says what its structure says. */
async function callTool(client: McpClient, name: string, given: JsonObject = {}): Promise<Called> {
  const { content, structuredContent, isError } = await client.callTool(name, given)
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  return { receipt: structuredContent, isError: isError === true }
}

describe('a client', () => {
  test.for(['main', 'noBilling', 'oneAgent'] as const)(
    'finds the tools that discovery lists for the key %s',
    async (as) => {
      const { tools } = await (await connect(as)).listTools()
      const listed = at((await project.ask('GET', '/operations', undefined, { as })).json, 'operations')
      const ids = (Array.isArray(listed) ? listed : []).map((row: Json) => at(row, 'id'))
      const names = tools.map(({ name }) => name)
      expect(names.filter((name) => !/finalize$|\.read$/.test(name))).toEqual(ids)
    },
  )

  test('is answered with the receipt that the HTTP API gives', async () => {
    const client = await connect()
    const inputs = samples(project.simulator.tenant.agents.plain)
    for (const id of ['notes.create', 'customers.import', 'customers.erase', 'orders.export']) {
      const input = inputs[id] ?? {}
      const { receipt, isError } = await callTool(client, id, { ...input, idempotencyKey: id })
      const { body } = await project.run(id, input, { key: id })
      expect({ id, receipt }).toEqual({ id, receipt: body })
      expect(isError).toBe(body['status'] === 'failed')
    }
  })

  test('may do what its key may, and no more', async () => {
    const client = await connect('noBilling')
    expect(await callTool(client, 'billing.usage')).toMatchObject({
      isError: true,
      receipt: { error: 'FORBIDDEN' },
    })
    const limited = await callTool(await connect(), 'billing.invoices', { limit: 2 })
    expect(at(limited.receipt, 'data', 'invoices')).toHaveLength(2)
  })

  test('follows an upload through both of its steps, the owner and the task', async () => {
    const client = await connect()
    const { tenant } = project.simulator
    const faq = { fileName: 'faq.txt', contentType: 'text/plain', size: 5 }
    const name = 'knowledge.upload_document'
    const { receipt } = await callTool(client, name, { ...faq, idempotencyKey: 'p' })
    const uploadId = at(receipt, 'data', 'uploadId')
    const bytes = { uploadId, bytes: Buffer.from('hello').toString('base64'), idempotencyKey: 'f' }
    const held = await callTool(client, `${name}.finalize`, bytes)
    const { approval_id: approvalId } = held.receipt as { approval_id: string }
    tenant.decide(approvalId, 'approved')
    expect((await callTool(client, 'approvals.read', { approvalId })).receipt).toMatchObject({
      state: 'approved',
    })
    expect((await callTool(client, `${name}.finalize`, bytes)).receipt).toMatchObject({ status: 'completed' })
    expect((await callTool(client, 'knowledge.list')).receipt).toMatchObject({ data: { count: 1 } })
    const { receipt: sent } = await callTool(client, 'orders.archive', {
      before: '2029-01-01',
      idempotencyKey: 'a',
    })
    const read = await callTool(client, 'tasks.read', { taskId: sent['task_id'] ?? null })
    expect(read.receipt).toMatchObject({ state: 'queued' })
  })

  test.for([
    ['GAP-EXECUTION-BODY', 'bare'],
    ['GAP-OPERATION-KEY', 'body'],
    ['GAP-BILLING-ROUTES', 'operations'],
  ] as const)('calls alike under the interpretation %s of %s', async ([gap, interpretation]) => {
    project.simulator.tenant.setModifications({ interpretations: { [gap]: interpretation } })
    const client = await connect()
    const note = { text: 'Call back.', idempotencyKey: 'k' }
    expect((await callTool(client, 'notes.create', note)).receipt).toMatchObject({ status: 'completed' })
    expect((await callTool(client, 'billing.usage')).receipt).toMatchObject({ status: 'completed' })
  })

  test('is refused without a key that is valid, and asked for no stream', async () => {
    await expect(connect('revoked')).rejects.toThrow(/API key|Unauthorized/i)
  })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<readonly Json[]> {
  const { url, tenant } = project.simulator
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return [answer.status, text === '' ? null : at(JSON.parse(text) as Json, 'error', 'code')]
}

describe('the transport', () => {
  const call = (name: Json, given: Json) => ({
    ...ping,
    method: 'tools/call',
    params: { name, arguments: given },
  })
  const nested = '['.repeat(50_000) + ']'.repeat(50_000)
  test.for([
    ['a ping', ping, {}, [200, null]],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}, [202, null]],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, {}, [202, null]],
    ['what is no JSON', '{', {}, [400, -32_700]],
    ['a batch', [ping], {}, [400, -32_600]],
    ['another JSON-RPC', { ...ping, jsonrpc: '1.0' }, {}, [400, -32_600]],
    ['an id that is null', { ...ping, id: null }, {}, [400, -32_600]],
    ['an unknown method', { ...ping, method: 'toString' }, {}, [200, -32_601]],
    ['an unknown tool', call('__proto__', {}), {}, [200, -32_602]],
    ['arguments that are a list', call('notes.list', []), {}, [200, -32_602]],
    ['a key that is a number', call('notes.create', { idempotencyKey: 1 }), {}, [200, -32_602]],
    ['an origin elsewhere', ping, { origin: 'https://example.com' }, [403, -32_600]],
    ['an origin that looks like here', ping, { origin: 'http://localhost.example.com' }, [403, -32_600]],
    ['an opaque origin', ping, { origin: 'null' }, [403, -32_600]],
    ['an origin of this machine', ping, { origin: 'http://localhost:6274' }, [200, null]],
    ['no API key', ping, { authorization: '' }, [401, -32_600]],
    ['a protocol of tomorrow', ping, { 'mcp-protocol-version': '2099-01-01' }, [400, -32_600]],
    [
      'arguments 50,000 deep',
      JSON.stringify(call('notes.create', { text: 0 })).replace('"text":0', `"text":${nested}`),
      {},
      [400, -32_600],
    ],
  ] as const)('answers %s', async ([, body, headers, expected]) => {
    expect(await post(body, headers)).toEqual(expected)
  })

  test.for([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
  ] as const)('asked for protocol %s speaks %s', async ([protocolVersion, spoken]) => {
    const { url, tenant } = project.simulator
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}` },
      body: JSON.stringify({ ...ping, method: 'initialize', params: { protocolVersion } }),
    })
    expect(at((await answer.json()) as Json, 'result', 'protocolVersion')).toBe(spoken)
  })

  test.for(['GET', 'DELETE'])('has nothing for %s', async (method) => {
    const answer = await fetch(`${project.simulator.url}/mcp`, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
