/** `npm run lab -- mcp`: uses the simulator's MCP server with the client of the official SDK, which validates each response. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createSimulator } from '../../simulator/index.ts'
import { importTool, installTools } from '../tools.ts'

interface ToolResult {
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

interface SdkClient {
  connect(transport: object): Promise<void>
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(call: { name: string; arguments: object }): Promise<ToolResult>
  close(): Promise<void>
}

type Constructor<Arguments extends readonly unknown[], Made> = new (...given: Arguments) => Made

const sdk = installTools(join(import.meta.dirname, 'sdk'))
const { Client } = (await importTool(sdk, '@modelcontextprotocol/sdk/client/index.js')) as {
  Client: Constructor<[object], SdkClient>
}
const { StreamableHTTPClientTransport } = (await importTool(
  sdk,
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
)) as { StreamableHTTPClientTransport: Constructor<[URL, object], object> }

const simulator = await createSimulator()
const { url, tenant } = simulator
const open: SdkClient[] = []

async function connect(key: string): Promise<SdkClient> {
  const client = new Client({ name: 'touchstone-lab', version: '1' })
  open.push(client)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return client
}

/** The operations that discovery lists for a key. */
async function discovered(key: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/operations`, { headers: { authorization: `Bearer ${key}` } })
  const { operations } = (await response.json()) as { operations: readonly { id: string }[] }
  return operations.map(({ id }) => id)
}

try {
  for (const role of ['main', 'noBilling'] as const) {
    const { tools } = await (await connect(tenant.keys[role])).listTools()
    const names = tools
      .map(({ name }) => name)
      .filter((name) => !/finalize$|^(tasks|approvals)\.read$/.test(name))
    assert.deepEqual(names, await discovered(tenant.keys[role]))
    console.log(`${role}: ${names.length} operations, as discovery lists them`)
  }
  const client = await connect(tenant.keys.main)
  const note = { text: 'Call back.', idempotencyKey: 'note' }
  const [first, again] = [
    await client.callTool({ name: 'notes.create', arguments: note }),
    await client.callTool({ name: 'notes.create', arguments: note }),
  ]
  assert.equal(first.structuredContent?.['status'], 'completed')
  assert.deepEqual(again.structuredContent, first.structuredContent)
  const conflict = { ...note, text: 'Another.' }
  const refused = await client.callTool({ name: 'notes.create', arguments: conflict })
  assert.equal(refused.isError, true)
  assert.equal(refused.structuredContent?.['error'], 'IDEMPOTENCY_CONFLICT')
  console.log('notes.create: completed, replayed, and refused with another text')
  await assert.rejects(connect(tenant.keys.revoked), /API key|Unauthorized/i)
  console.log('a revoked key: refused')
} finally {
  await Promise.all(open.map((client) => client.close()))
  await simulator.close()
}
