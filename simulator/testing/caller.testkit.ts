/** Calls the chat handler without a socket, in a tenant of its own. */
import { hookEvents, hookReply } from '../rules/tenant-state.ts'
import { createTenant } from '../create-tenant.ts'
import {
  presentValues,
  type Call,
  type ClientConnection,
  type HeaderLine,
  type Reply,
  type StreamEvent,
} from '../edge/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Tenant, TenantOptions } from '../tenant-handle.ts'
import type { AgentRole, KeyRole } from '../tenant/fixtures.ts'
import { handleChat } from '../chat/handler.ts'

export interface Said {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The JSON body, or the last event of a stream. */
  readonly body: JsonObject
  /** Empty for a JSON answer. */
  readonly events: readonly StreamEvent[]
}

export interface How {
  as?: KeyRole
  agent?: AgentRole
  headers?: readonly HeaderLine[]
  /** Instead of the JSON of the body. */
  raw?: string
  client?: ClientConnection
}

export interface Caller {
  readonly tenant: Tenant
  /** Posts a body to the chat route; fails where the socket would have been dropped. */
  readonly say: (body: Json, how?: How) => Promise<Said>
}

async function readReply(tenant: Tenant, reply: Reply): Promise<Said> {
  if (reply.kind !== 'json' && reply.kind !== 'stream')
    throw new Error(`The answer is of kind ${reply.kind}.`)
  const headers = Object.fromEntries(reply.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const events: StreamEvent[] = []
  if (reply.kind === 'stream')
    for await (const event of hookEvents(tenant.state, reply.events, reply.about)) events.push(event)
  const body = reply.kind === 'json' && isObject(reply.body) ? reply.body : (events.at(-1) ?? {})
  return { status: reply.status, headers, body, events }
}

/** Time is frozen unless `options` says otherwise. */
export function createCaller(options: TenantOptions = {}): Caller {
  const seed = options.seed ?? 'caller'
  const place = { seed, url: () => '', shared: new Map(), onClose: () => undefined }
  const tenant = createTenant(place, { clock: { mode: 'frozen' }, ...options })
  let calls = 0
  return {
    tenant,
    say: async (body, { as = 'main', agent = 'plain', headers = [], raw, client = presentValues } = {}) => {
      const call: Call = {
        id: ++calls,
        connection: 1,
        server: 1,
        method: 'POST',
        path: '/',
        params: { agentId: tenant.agents[agent] },
        headers: [['Authorization', `Bearer ${tenant.keys[as]}`], ...headers],
        body: Buffer.from(raw ?? JSON.stringify(body)),
        client,
      }
      return readReply(tenant, hookReply(tenant.state, await handleChat(tenant.state, call), call))
    },
  }
}

/** The text `error` of a refusal; empty for any other answer. */
export function errorOf({ body: { error } }: Said): string {
  return typeof error === 'string' ? error : ''
}
