/** A client of MCP over Streamable HTTP, as small as the tests need. */
import type { JsonObject } from '../json.ts'

export interface McpClient {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>
  readonly callTool: (name: string, given: JsonObject) => Promise<ToolResult>
}

export interface ToolResult {
  readonly content: unknown
  readonly structuredContent: JsonObject
  readonly isError?: boolean
}

const protocolVersion = '2025-11-25'

/** Initializes a session. Each method throws with the message of the response if it is an error. */
export async function connectMcp(url: string, headers: Readonly<Record<string, string>>): Promise<McpClient> {
  const send = async (message: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'mcp-protocol-version': protocolVersion },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  let id = 0
  const request = async (method: string, params: object): Promise<unknown> => {
    const response = await send({ id: ++id, method, params })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }
  const clientInfo = { name: 'test', version: '1' }
  await request('initialize', { protocolVersion, capabilities: {}, clientInfo })
  await send({ method: 'notifications/initialized' })
  return {
    listTools: () => request('tools/list', {}) as ReturnType<McpClient['listTools']>,
    callTool: (name, given) => request('tools/call', { name, arguments: given }) as Promise<ToolResult>,
  }
}
