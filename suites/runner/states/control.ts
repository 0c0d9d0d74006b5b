/** The control protocol: routes that put a target into a state. Nothing that is judged goes over it. */
import { request } from 'undici'
import type { StateId } from '../../../spec/index.ts'
import { isObject } from '../../../spec/json.ts'
import { errorMessage } from '../../../bundle/text.ts'
import { parseJson } from '../../../bundle/json.ts'

interface Prepared {
  handle: string
  /** What the scenario is to speak with while the state holds. */
  setting: { agentId?: string; message?: string; principal?: string }
}

type ControlAnswer =
  | { ok: true; prepared: Prepared }
  /** `offered`: it knows the state and could not bring it about. */
  | { ok: false; offered: boolean; because: string }

export interface Control {
  /** `POST {control}/states/{state}`: 201 with a handle. Rejects, as all of these, when nothing answers. */
  enter(state: StateId, about: Readonly<Record<string, string>>): Promise<ControlAnswer>
  /** `DELETE {control}/states/{state}/{handle}`. Throws unless it is answered 2xx or 404. */
  leave(state: StateId, handle: string): Promise<void>
  /**
   * `POST {control}/clock/advance`: the target's clock moves on, and what falls due is done. For how many
   * milliseconds on it nothing more falls due, Infinity where nothing waits; 0 where the target does not say.
   */
  advance(ms: number): Promise<number>
  /** `GET {control}`: the states that it can enter. */
  states(): Promise<readonly string[]>
  /** `GET {control}`: all that it says it can do. `stop` ends the waiting for it. */
  offers(stop?: AbortSignal): Promise<Offers>
}

export interface Offers {
  states: readonly string[]
  clock: boolean
}

/** Milliseconds a control request may take; an advance runs everything that falls due. */
const timeoutMs = 30_000

export function createControl(
  { url, token }: { url: string; token: string | null },
  log: (line: string) => void = () => {},
): Control {
  async function ask(method: Method, path: string, body?: object, stop?: AbortSignal): Promise<Answer> {
    const answer = await exchange({ method, url: `${url}${path}`, token, body, stop }).catch(
      (cause: unknown) => {
        throw new Error(`the control protocol does not answer at ${url}: ${errorMessage(cause)}`, { cause })
      },
    )
    log(`control ${method} ${path}: ${answer.status}`)
    return answer
  }
  return {
    async enter(state, about) {
      const answer = await ask('POST', `/states/${state}`, wished(about))
      const prepared = answer.status === 201 ? preparedFrom(answer.body) : null
      if (prepared) return { ok: true, prepared }
      const offered = ![404, 405, 501].includes(answer.status)
      return { ok: false, offered, because: `the control protocol answered ${said(answer)}` }
    },
    async leave(state, handle) {
      const answer = await ask('DELETE', `/states/${state}/${encodeURIComponent(handle)}`)
      if (!isFine(answer) && answer.status !== 404)
        throw new Error(`leaving ${state} was answered ${said(answer)} by the control protocol at ${url}`)
    },
    async advance(ms) {
      const answer = await ask('POST', '/clock/advance', { ms })
      if (!isFine(answer))
        throw new Error(
          `advancing the clock by ${Math.ceil(ms)} ms was answered ${said(answer)}; set \`timing.clock: real\` if the target cannot`,
        )
      return quietFrom(answer.body)
    },
    offers,
    states: async () => (await offers()).states,
  }

  async function offers(stop?: AbortSignal): Promise<Offers> {
    const answer = await ask('GET', '', undefined, stop)
    const { states, clock } = isObject(answer.body) ? answer.body : {}
    if (!Array.isArray(states))
      throw new Error(`the control protocol at ${url} listed no \`states\`: ${said(answer)}`)
    return { states: states.filter((state) => typeof state === 'string'), clock: clock === true }
  }
}

interface Answer {
  status: number
  body: unknown
  text: string
}

type Method = 'GET' | 'POST' | 'DELETE'

interface Asked {
  method: Method
  url: string
  token: string | null
  body: object | undefined
  stop: AbortSignal | undefined
}

async function exchange({ method, url, token, body, stop }: Asked): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (body) headers['content-type'] = 'application/json'
  const answer = await request(url, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...(stop ? { signal: stop } : {}),
  })
  const text = await answer.body.text()
  const read = parseJson(text)
  return { status: answer.statusCode, text, body: read.ok ? read.value : null }
}

/** An event and a decision are named by their state, an operation by its key, its task or its approval; a message is for hooks. */
const untransmitted: readonly string[] = ['event', 'operationId', 'message', 'decision']

/** Scenarios speak in texts; how long a state is to last goes over as a number. */
function wished(about: Readonly<Record<string, string>>): object {
  const values = Object.entries(about).filter(([name]) => !untransmitted.includes(name))
  return Object.fromEntries(
    values.map(([name, value]) => [name, name === 'milliseconds' ? Number(value) : value]),
  )
}

function preparedFrom(body: unknown): Prepared | null {
  if (!isObject(body) || typeof body['handle'] !== 'string') return null
  const setting = isObject(body['setting']) ? body['setting'] : {}
  const texts = Object.entries(setting).filter(([, value]) => typeof value === 'string')
  return { handle: body['handle'], setting: Object.fromEntries(texts) }
}

function quietFrom(body: unknown): number {
  const { nextInMs } = isObject(body) ? body : {}
  if (nextInMs === null) return Number.POSITIVE_INFINITY
  return typeof nextInMs === 'number' ? nextInMs : 0
}

const isFine = ({ status }: Answer): boolean => status >= 200 && status < 300

function said({ status, text }: Answer): string {
  return text === '' ? String(status) : `${status}: ${text.slice(0, 200)}`
}
