/** One request of an honest client, how long it took, and whether it may have failed. */
import { Agent, request } from 'undici'
import { isObject, type JsonObject } from '../../simulator/json.ts'
import type { Phases } from './phases.ts'

export interface Answer {
  /** 0: none came. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Why none came, or an empty text. */
  readonly words: string
  /** A fault of the rig was on while it was in flight. */
  readonly declared: boolean
}

export interface Call {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Latencies {
  readonly quiet: number[]
  readonly siege: number[]
}

export interface Caller {
  readonly latencies: Latencies
  /** Never throws: what failed is in the answer. `timed`: its time counts. */
  send(call: Call, timed?: boolean): Promise<Answer>
  close(): Promise<void>
}

/** Longer than a reply waits for a store that is away. */
const timeoutMs = 20_000

export function createCaller(phases: Phases): Caller {
  const dispatcher = new Agent({ connections: 64, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const latencies: Latencies = { quiet: [], siege: [] }
  const fetched = async ({ method = 'POST', url, headers, body }: Call) => {
    const options = { method, dispatcher, headers: { 'content-type': 'application/json', ...headers } }
    const {
      statusCode,
      headers: got,
      body: stream,
    } = await request(url, {
      ...options,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: statusCode, headers: got, text: await stream.text(), words: '' }
  }
  return {
    latencies,
    send: async (call, timed = false) => {
      const { phase } = phases
      const began = performance.now()
      const answer = await fetched(call).catch((error: unknown) => ({
        status: 0,
        headers: {},
        text: '',
        words: String(error),
      }))
      const ended = performance.now()
      const declared = phases.declared(began, ended)
      if (timed && !declared && phase !== 'between' && phase === phases.phase)
        latencies[phase].push(ended - began)
      return { ...answer, declared }
    },
    close: () => dispatcher.destroy(),
  }
}

/** An empty object where the text is no JSON object. */
export function jsonIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
