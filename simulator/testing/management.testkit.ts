/** A signed-in user who manages webhooks over a real socket. */
import { isObject, type Json, type JsonObject } from '../json.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'
import type { AgentRole } from '../tenant/fixtures.ts'

export interface Managed {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
  /** `{}` where the body is none or no object. */
  readonly body: JsonObject
}

export interface How {
  agent?: AgentRole
  /** Instead of the session of the main user. */
  credentials?: Readonly<Record<string, string>>
  /** Instead of the JSON of the body. */
  raw?: string | Uint8Array<ArrayBuffer>
}

export interface Manager {
  readonly simulator: Simulator
  /** `path` is what follows `/api/agents/{agentId}/webhooks`. */
  readonly manage: (method: string, path?: string, body?: Json, how?: How) => Promise<Managed>
  /** A webhook that was created, with what is given in place of the plain fields. */
  readonly create: (
    fields?: JsonObject,
  ) => Promise<Managed & { readonly id: string; readonly secret: string }>
}

export const plainFields = {
  name: 'Orders',
  endpoint_url: 'https://hooks.example.org/service',
  events: ['order.confirmed', 'leads.submit'],
} as const satisfies JsonObject

/** A text of the body; empty where there is none. */
export function textAt({ body }: Managed, member: string): string {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}

async function received(response: Response): Promise<Managed> {
  const text = await response.text()
  const parsed: unknown = text === '' ? null : JSON.parse(text)
  const contentType = response.headers.get('content-type')
  return { status: response.status, contentType, text, body: isObject(parsed) ? parsed : {} }
}

export async function openManager(options: SimulatorOptions = {}): Promise<Manager> {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, ...options })
  const { agents, sessions } = simulator.tenant
  const signedIn = { cookie: `theme=dark; session=${sessions.main}` }

  const manage: Manager['manage'] = async (method, path = '', body, how = {}) => {
    const { agent = 'plain', credentials = signedIn, raw } = how
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const headers = { 'content-type': 'application/json', ...credentials }
    const url = `${simulator.url}/api/agents/${agents[agent]}/webhooks${path}`
    return received(await fetch(url, { method, headers, ...(sent !== undefined && { body: sent }) }))
  }
  return {
    simulator,
    manage,
    create: async (fields = {}) => {
      const made = await manage('POST', '', { ...plainFields, ...fields })
      return { ...made, id: textAt(made, 'id'), secret: textAt(made, 'secret_key') }
    },
  }
}
