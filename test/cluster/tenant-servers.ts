/** Access to one tenant through each server of a cluster. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type Json, type JsonObject } from '../../simulator/json.ts'
import {
  createControlClient,
  type ControlledTenant,
  type TenantControl,
} from '../../simulator/control-client/index.ts'
import type { AgentRole, KeyRole } from '../../simulator/tenant/fixtures.ts'
import { controlToken } from './cluster.ts'

export interface ReadResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `{}` if it is not an object. */
  readonly body: JsonObject
}

export interface Turn {
  /** Default: a new one. */
  readonly key?: string
  readonly message?: string
  readonly agent?: AgentRole
  readonly by?: KeyRole
  readonly more?: Readonly<Record<string, Json>>
}

/** Access to a tenant through one server. */
export interface ServerAccess {
  readonly control: TenantControl
  /** Sends a turn and does not read the response body. */
  readonly open: (turn?: Turn) => Promise<Response>
  readonly chat: (turn?: Turn) => Promise<ReadResponse>
  /** With an API key. */
  readonly request: (method: string, path: string, body?: JsonObject) => Promise<ReadResponse>
  /** As a signed-in user; `path` is relative to the webhooks of the agent `plain`. */
  readonly webhooks: (method: string, path: string, body?: JsonObject) => Promise<ReadResponse>
}

type Header = Readonly<Record<string, string>>
export type Named = Pick<ControlledTenant, 'id' | 'keys' | 'agents' | 'accounts' | 'sessions'>

export async function readResponse(response: Response): Promise<ReadResponse> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const parsed: unknown = isJson ? JSON.parse(text) : {}
  return { status, headers, text, body: isObject(parsed) ? parsed : {} }
}

const owner = (server: string) => createControlClient({ url: server, token: controlToken })

/** Creates a tenant that the replica behind this server owns. */
export const createTenant = (server: string): Promise<ControlledTenant> => owner(server).createTenant()

export function accessThrough(server: string, { id, keys, agents, sessions }: Named): ServerAccess {
  const send = (method: string, path: string, who: Header, body?: JsonObject, key?: string) =>
    fetch(server + path, {
      method,
      headers: {
        ...who,
        'idempotency-key': key ?? randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const project = (by: KeyRole): Header => ({ authorization: `Bearer ${keys[by]}` })
  const user: Header = { cookie: `session=${sessions.main}` }
  const open: ServerAccess['open'] = ({
    key,
    message = 'Hello',
    agent = 'plain',
    by = 'main',
    more = {},
  } = {}) => send('POST', `/api/v1/chat/${agents[agent]}`, project(by), { message, ...more }, key)
  const hooks = `/api/agents/${agents.plain}/webhooks`
  return {
    control: owner(server).tenant(id),
    open,
    chat: async (turn) => readResponse(await open(turn)),
    request: async (method, path, body) => readResponse(await send(method, path, project('main'), body)),
    webhooks: async (method, path, body) => readResponse(await send(method, hooks + path, user, body)),
  }
}

export interface TenantServers extends Named {
  /** Access through nginx, the owner of the tenant, and the other replica. */
  readonly front: ServerAccess
  readonly owner: ServerAccess
  readonly other: ServerAccess
  readonly servers: readonly [ServerAccess, ServerAccess, ServerAccess]
  /** Base addresses of the servers. */
  readonly urls: readonly string[]
}

export type ClusterCase = readonly [title: string, check: (tenant: TenantServers) => Promise<void>]

/** Creates a tenant that the replica at `owner` owns. */
export async function createTenantServers(
  front: string,
  owner: string,
  other: string,
): Promise<TenantServers> {
  const urls = [front, owner, other]
  const { id, keys, agents, accounts, sessions } = await createTenant(owner)
  const names = { id, keys, agents, accounts, sessions }
  const [server, own, beside] = [
    accessThrough(front, names),
    accessThrough(owner, names),
    accessThrough(other, names),
  ]
  return { ...names, urls, front: server, owner: own, other: beside, servers: [server, own, beside] }
}

/** Whether a response asks for a retry: a flat body and a Retry-After header. */
export const asksForRetry = ({ status, headers, body }: ReadResponse): boolean =>
  status === 503 &&
  Number(headers.get('retry-after')) > 0 &&
  typeof body['error'] === 'string' &&
  Object.values(body).every((member) => typeof member !== 'object')

export const isReplay = ({ headers }: ReadResponse): boolean =>
  headers.get('x-service-idempotent-replay') === 'true'

/** Throws on an error status. */
export function assertSuccess(answer: ReadResponse): ReadResponse {
  if (answer.status < 300) return answer
  throw new Error(`Expected success, got ${answer.status}: ${answer.text}`)
}

export const textAt = ({ body }: ReadResponse, member: string): string => {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}

/** The body that creates a webhook. */
export const hookTo = (url: string, ...events: readonly string[]): JsonObject => ({
  name: 'Ours',
  endpoint_url: url,
  events: [...events],
})

/** The credits of an account. */
export async function creditsOf(
  { control }: Pick<ServerAccess, 'control'>,
  account: string,
): Promise<number> {
  const { accounts } = await control.read()
  return accounts.find(({ id }) => id === account)?.credits ?? Number.NaN
}

/** Retries while the status is 502 or above; returns all responses. */
export async function retryWhileRefused(
  request: () => Promise<ReadResponse>,
): Promise<{ refused: ReadResponse[]; response: ReadResponse }> {
  const refused: ReadResponse[] = []
  for (let response = await request(); ; response = await request()) {
    if (response.status < 502) return { refused, response: response }
    refused.push(response)
    await pause(50)
  }
}

/** Waits until a delivery attempt is recorded with status 500. */
export async function failedOnce({ control }: ServerAccess): Promise<void> {
  while (!(await control.deliveries()).some(({ attempts }) => attempts.some(({ status }) => status === 500)));
}
