/** Calls the older routes of a simulator over HTTP. */
import { createSimulator, type Simulator } from '../index.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { SimulatorOptions } from '../simulator.ts'
import type { AgentRole } from '../tenant/fixtures.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON body; empty for a stream. */
  readonly body: JsonObject
  /** Of a stream. */
  readonly events: readonly JsonObject[]
}

export interface How {
  /** Whose key is sent; null sends none. */
  as?: AgentRole | null
  /** Sent as it is, in place of a key. */
  token?: string
  agent?: string
  headers?: Readonly<Record<string, string>>
}

export interface Older {
  readonly simulator: Simulator
  readonly send: (body: Json, how?: How) => Promise<Answer>
  readonly read: (conversation: Json, how?: How) => Promise<Answer>
}

async function answer(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  if (!headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, headers, body: objectIn(text), events: [] }
  const events = text.split('\n\n').filter(Boolean)
  return { status, headers, body: {}, events: events.map((event) => objectIn(event.slice('data: '.length))) }
}

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}

/** Time is frozen and the older variant served, unless `options` says otherwise. */
export async function openOlder(options: SimulatorOptions = {}): Promise<Older> {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, legacy: true, ...options })
  const { tenant, url } = simulator
  const ask = async (path: string, { as = 'plain', token, headers = {} }: How, sent: RequestInit) => {
    const key = token ?? (as === null ? undefined : tenant.olderKeys[as])
    const credentials: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return answer(await fetch(`${url}${path}`, { ...sent, headers: { ...credentials, ...headers } }))
  }
  return {
    simulator,
    send: (body, how = {}) =>
      ask(`/v1/agents/${how.agent ?? tenant.agents[how.as ?? 'plain']}/chat`, how, {
        method: 'POST',
        body: JSON.stringify(body),
      }),
    read: (conversation, how = {}) =>
      ask(`/v1/conversations/${typeof conversation === 'string' ? conversation : ''}`, how, {}),
  }
}
