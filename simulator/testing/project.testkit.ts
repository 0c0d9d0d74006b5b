/** A project that is used over a real socket. */
import { isObject, type Json, type JsonObject } from '../json.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'
import type { KeyRole } from '../tenant/fixtures.ts'

export interface Answered {
  readonly status: number
  readonly text: string
  readonly json: Json
  /** `{}` where the body is no object. */
  readonly body: JsonObject
}

export interface How {
  /** Role of the API key; default `main`. */
  as?: KeyRole
  /** Idempotency key; every write gets one of its own by default, null sends none. */
  key?: string | null
  /** Instead of the JSON of the body. */
  raw?: string | Uint8Array<ArrayBuffer>
  /** In place of those that go with the rest, in small letters. */
  headers?: Readonly<Record<string, string>>
}

export interface Project {
  readonly simulator: Simulator
  readonly ask: (method: string, path: string, body?: Json, how?: How) => Promise<Answered>
  /** `{ input }` with a fresh idempotency key. */
  readonly run: (operation: string, input?: Json, how?: How) => Promise<Answered>
  readonly task: (id: string, how?: How) => Promise<Answered>
  readonly approval: (id: string, how?: How) => Promise<Answered>
  /** `data.count` of a read. */
  readonly count: (operation: string, how?: How) => Promise<Json>
}

/** A member of members of a body; null where there is none. */
export function at(value: Json, ...path: readonly (string | number)[]): Json {
  return path.reduce<Json>((inner, step) => {
    if (Array.isArray(inner)) return (inner as readonly Json[])[Number(step)] ?? null
    return isObject(inner) && Object.hasOwn(inner, step) ? (inner[step] ?? null) : null
  }, value)
}

export function textAt({ json }: Answered, ...path: readonly (string | number)[]): string {
  const value = at(json, ...path)
  return typeof value === 'string' ? value : ''
}

interface Place {
  readonly url: string
  readonly agents: { readonly plain: string }
  readonly keys: { readonly main: string }
}

/** One chat turn with the plain agent. */
export const postTurn = ({ url, agents, keys }: Place, key: string, body: object): Promise<Response> =>
  fetch(`${url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.main}`, 'idempotency-key': key },
    body: JSON.stringify(body),
  })

async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  const json = text === '' ? null : (JSON.parse(text) as Json)
  return { status: response.status, text, json, body: isObject(json) ? json : {} }
}

export async function openProject(options: SimulatorOptions = {}): Promise<Project> {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, ...options })
  const { keys } = simulator.tenant
  let keysMade = 0

  const ask: Project['ask'] = async (method, path, body, how = {}) => {
    const { as = 'main', key = `key-${++keysMade}`, raw, headers = {} } = how
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${simulator.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys[as]}`,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(sent !== undefined && key !== null && { 'idempotency-key': key }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    })
    return answered(response)
  }
  const run: Project['run'] = (operation, input = {}, how) =>
    ask('POST', `/operation-executions/${encodeURIComponent(operation)}`, { input }, how)
  return {
    simulator,
    ask,
    run,
    task: (id, how) => ask('GET', `/tasks/${encodeURIComponent(id)}`, undefined, how),
    approval: (id, how) => ask('GET', `/approvals/${encodeURIComponent(id)}`, undefined, how),
    count: async (operation, how) => at((await run(operation, {}, how)).json, 'data', 'count'),
  }
}
