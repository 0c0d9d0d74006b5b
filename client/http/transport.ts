/** One request, one answer. Nothing is sent twice, and a redirect is never followed: the key would go along. */
import { boundedText, type ServiceResponse } from './refusal.ts'
import { NoAnswer, InvalidCall, ServiceError } from '../errors.ts'
import { parsed } from '../json.ts'
import { createInactivityTimeout, type InactivityTimeout, delayFor } from '../options/timeout.ts'
import { limits } from '../../spec/limits.ts'

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

/** After `REQUEST_IN_PROGRESS`: wait so long, then send the same again with the same key, so many times at the most. */
export interface Resend {
  readonly waitMs: number
  readonly times: number
}

const isInProgress = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'REQUEST_IN_PROGRESS'

/** What is no number of ms would be no wait at all, and the service asked without a pause. */
export function checkTime(name: string, ms: unknown): void {
  if (typeof ms === 'number' && ms >= 0) return
  throw new InvalidCall(`\`${name}\` is ${String(ms)}.`, 'Give milliseconds, 0 or more.')
}

function check({ waitMs, times }: Resend): void {
  checkTime('resendInProgress.waitMs', waitMs)
  if (!Number.isInteger(times) || times < 0)
    throw new InvalidCall(
      `\`resendInProgress.times\` is ${String(times)}.`,
      'Give a whole number, 0 or more.',
    )
}

/** `send` has to send the same each time. Waits longer where the service says so. Rejects with `InvalidCall`. */
export async function resending<T>(
  send: () => Promise<T>,
  how: Resend | undefined,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (how !== undefined) check(how)
  for (let left = how?.times ?? 0; ; left--) {
    try {
      return await send()
    } catch (error) {
      if (left <= 0 || !isInProgress(error)) throw error
      await delayFor(Math.max(how?.waitMs ?? 0, (error.retryAfterSeconds ?? 0) * 1000), signal)
    }
  }
}

/** One step of a path; `.` and `..` would lead elsewhere. */
export function segment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new InvalidCall(`\`${name}\` is ${JSON.stringify(id)}.`, 'Give the id as the service shows it.')
  return encodeURIComponent(id)
}

/** A header takes Latin-1 without control characters, and loses blanks at either end. */
const fitsHeader = /^[!-~\u00a1-\u00ff]([ -~\u00a0-\u00ff]*[!-~\u00a1-\u00ff])?$/

export function checkKey(name: string, key: unknown): void {
  if (typeof key !== 'string' || key === '')
    throw new InvalidCall(
      `\`${name}\` is missing.`,
      'Make one up for each piece of work, keep it, and use the same one when you send that again.',
    )
  if (key.length > limits.idempotencyKeyMaxCharacters)
    throw new InvalidCall(
      `\`${name}\` has ${key.length} characters, and 255 are allowed.`,
      'Use a shorter one, such as a UUID.',
    )
  if (!fitsHeader.test(key))
    throw new InvalidCall(
      `\`${name}\` is ${JSON.stringify(key)}, which a header does not carry as it is.`,
      'Use letters, digits and signs of ASCII, without a blank at either end.',
    )
}
