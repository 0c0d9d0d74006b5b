/** One request, one answer. Nothing is sent twice, and a redirect is never followed: the key would go along. */
import { boundedText } from './bounded.ts'
import { NoAnswer } from '../errors.ts'
import { parsed } from '../json.ts'
import { createInactivityTimeout, type InactivityTimeout } from '../options/timeout.ts'

/** As the global `fetch` is called here; hand in another for tests, proxies or certificates of one's own. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the base address, with its query. */
  readonly path: string
  /** As it goes over the wire. */
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Of the body. Default: JSON. */
  readonly contentType?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Carries the key; null where the body alone does. Default: `Idempotency-Key`. */
  readonly keyHeader?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly accept?: string
  readonly signal?: AbortSignal | undefined
}

export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  /** JSON where it is JSON, else text. */
  readonly body: unknown
}

/** An answer whose body is still to come; end its timeout when done with it. */
export interface OpenedResponse {
  readonly response: Response
  readonly inactivity: InactivityTimeout
}

export interface Transport {
  readonly replayHeader: string
  /** Reads the whole answer, whatever its status. Rejects with `NoAnswer`, or as the signal wants it. */
  ask(ask: ServiceRequest): Promise<ServiceResponse>
  open(ask: ServiceRequest): Promise<OpenedResponse>
}

export interface TransportOptions {
  readonly apiKey: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: FetchFunction
  /** Without a sign of life, in ms. */
  readonly timeoutMs: number
  readonly replayHeader: string
}

function initOf(apiKey: string, ask: ServiceRequest, signal: AbortSignal): RequestInit {
  const { method, body, contentType = 'application/json', idempotencyKey, accept = 'application/json' } = ask
  const { keyHeader = 'idempotency-key', headers } = ask
  const carried = idempotencyKey === undefined || keyHeader === null ? {} : { [keyHeader]: idempotencyKey }
  return {
    method,
    signal,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept,
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...carried,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  }
}

/** What a request came to that broke off: as the caller's signal wants it, or that there is no answer. */
function brokenOff(
  cause: unknown,
  waiting: InactivityTimeout,
  { method, path, signal, idempotencyKey }: ServiceRequest,
): unknown {
  if (signal?.aborted) return signal.reason
  const what = `${method} ${path} got no answer: ${waiting.isOver ? 'nothing came for too long' : words(cause)}.`
  const advice =
    idempotencyKey === undefined
      ? 'Send it again, if it changes nothing.'
      : 'Whether the work was done is not known: send the same request again with the same key.'
  return new NoAnswer(what, advice, cause)
}

/** fetch says `fetch failed`, and its cause says why. */
function words(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message
}

export function createTransport(options: TransportOptions): Transport {
  const { apiKey, baseUrl, fetch, timeoutMs, replayHeader } = options
  const open = async (ask: ServiceRequest): Promise<OpenedResponse> => {
    ask.signal?.throwIfAborted()
    const waiting = createInactivityTimeout(timeoutMs, ask.signal)
    try {
      const response = await fetch(`${baseUrl}${ask.path}`, initOf(apiKey, ask, waiting.signal))
      waiting.renew()
      return { response, inactivity: waiting }
    } catch (error) {
      waiting.end()
      throw brokenOff(error, waiting, ask)
    }
  }
  return { replayHeader, open, ask: async (ask) => wholeOf(await open(ask), ask) }
}

/** Reads an answer to its end, and ends its timeout. */
export async function wholeOf(
  { response, inactivity }: OpenedResponse,
  ask: ServiceRequest,
): Promise<ServiceResponse> {
  const { status, headers } = response
  try {
    const text = await boundedText(response)
    return { status, headers, body: parsed(text) ?? text }
  } catch (error) {
    throw brokenOff(error, inactivity, ask)
  } finally {
    inactivity.end()
  }
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300
