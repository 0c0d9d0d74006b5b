/** A tenant, and what its clients and its owner do there by any of the servers. */
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

export interface Said {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `{}` where it is no object. */
  readonly body: JsonObject
}

export interface Turn {
  /** Default: one that nobody used. */
  readonly key?: string
  readonly message?: string
  readonly agent?: AgentRole
  readonly by?: KeyRole
  readonly more?: Readonly<Record<string, Json>>
}

/** One door to one tenant. */
export interface Visit {
  readonly control: TenantControl
  /** Opens the answer of a turn without reading it. */
  readonly open: (turn?: Turn) => Promise<Response>
  readonly chat: (turn?: Turn) => Promise<Said>
  /** With an API key. */
  readonly ask: (method: string, path: string, body?: JsonObject) => Promise<Said>
  /** As a signed-in user; `path` follows that of the webhooks of the agent `plain`. */
  readonly webhooks: (method: string, path: string, body?: JsonObject) => Promise<Said>
}

type Header = Readonly<Record<string, string>>
export type Named = Pick<ControlledTenant, 'id' | 'keys' | 'agents' | 'accounts' | 'sessions'>

export async function said(response: Response): Promise<Said> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const parsed: unknown = isJson ? JSON.parse(text) : {}
  return { status, headers, text, body: isObject(parsed) ? parsed : {} }
}

const owner = (server: string) => createControlClient({ url: server, token: controlToken })

/** A tenant of its own; the replica of this door runs it. */
export const found = (server: string): Promise<ControlledTenant> => owner(server).createTenant()

export function visit(server: string, { id, keys, agents, sessions }: Named): Visit {
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
  const open: Visit['open'] = ({ key, message = 'Hello', agent = 'plain', by = 'main', more = {} } = {}) =>
    send('POST', `/api/v1/chat/${agents[agent]}`, project(by), { message, ...more }, key)
  const hooks = `/api/agents/${agents.plain}/webhooks`
  return {
    control: owner(server).tenant(id),
    open,
    chat: async (turn) => said(await open(turn)),
    ask: async (method, path, body) => said(await send(method, path, project('main'), body)),
    webhooks: async (method, path, body) => said(await send(method, hooks + path, user, body)),
  }
}

/** A tenant with all its servers. */
export interface House extends Named {
  /** That of nginx, that of the replica that runs the tenant, and that of the other one. */
  readonly front: Visit
  readonly owner: Visit
  readonly other: Visit
  readonly servers: readonly [Visit, Visit, Visit]
  /** Base addresses of the servers. */
  readonly urls: readonly string[]
}

export type Promised = readonly [title: string, keep: (house: House) => Promise<void>]

/** A new tenant, played by the replica at `owner`. */
export async function build(front: string, owner: string, other: string): Promise<House> {
  const urls = [front, owner, other]
  const { id, keys, agents, accounts, sessions } = await found(owner)
  const names = { id, keys, agents, accounts, sessions }
  const [server, own, beside] = [visit(front, names), visit(owner, names), visit(other, names)]
  return { ...names, urls, front: server, owner: own, other: beside, servers: [server, own, beside] }
}

/** What an answer has to be that says to come again: flat, and with the time after which to. */
export const comeAgain = ({ status, headers, body }: Said): boolean =>
  status === 503 &&
  Number(headers.get('retry-after')) > 0 &&
  typeof body['error'] === 'string' &&
  Object.values(body).every((member) => typeof member !== 'object')

export const isReplay = ({ headers }: Said): boolean => headers.get('x-service-idempotent-replay') === 'true'

/** Throws where it was refused. */
export function granted(answer: Said): Said {
  if (answer.status < 300) return answer
  throw new Error(`Answered ${answer.status}: ${answer.text}`)
}

export const textAt = ({ body }: Said, member: string): string => {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}

/** A webhook that is to be made. */
export const hookTo = (url: string, ...events: readonly string[]): JsonObject => ({
  name: 'Ours',
  endpoint_url: url,
  events: [...events],
})

/** What an account (id) has, in credits. */
export async function creditsOf({ control }: Pick<Visit, 'control'>, account: string): Promise<number> {
  const { accounts } = await control.read()
  return accounts.find(({ id }) => id === account)?.credits ?? Number.NaN
}

/** Asks again as long as it is told to, and gives all it was told. */
export async function insist(ask: () => Promise<Said>): Promise<{ refused: Said[]; met: Said }> {
  const refused: Said[] = []
  for (let met = await ask(); ; met = await ask()) {
    if (met.status < 502) return { refused, met }
    refused.push(met)
    await pause(50)
  }
}

/** The only attempt that got an answer is noted down with it. */
export async function failedOnce({ control }: Visit): Promise<void> {
  while (!(await control.deliveries()).some(({ attempts }) => attempts.some(({ status }) => status === 500)));
}
