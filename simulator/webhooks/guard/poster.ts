/** Posts deliveries through the guard, over connections that are kept and used again. */
import type { GuardPolicy } from '../../rules/webhooks.ts'
import { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { DeliveryRequest } from '../../tenant/webhooks/delivery.ts'
import { askMachine, guardedConnector, type Resolve, Blocked } from './connect.ts'
import { endpointProblem } from './addresses.ts'
import type { Poster, Posted, Breaker } from './guard.ts'
import { fixedLimits } from '../../limits.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host does not resolve.',
  EAI_AGAIN: 'The name of the host could not be resolved for now.',
  ECONNREFUSED: 'The endpoint refused the connection.',
  ECONNRESET: 'The endpoint reset the connection before it answered.',
  EHOSTUNREACH: 'There is no way to the host.',
  ENETUNREACH: 'There is no way to the network of the host.',
  ETIMEDOUT: 'No connection could be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
  UND_ERR_SOCKET: 'The connection broke before the endpoint answered.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not HTTP.',
  // What undici makes of a status under 100.
  ERR_ASSERTION: 'The answer is not HTTP.',
  UND_ERR_DESTROYED: 'The sender was closed.',
  UND_ERR_CLOSED: 'The sender was closed.',
}

function failedPost(kind: NonNullable<Posted['failure']>['kind'], reason: string): Posted {
  return { status: null, location: null, failure: { kind, reason } }
}

function postFailureOf(error: unknown): Posted {
  if (error instanceof Blocked) return failedPost('blocked', error.message)
  return failedPost('unreachable', systemReason(error instanceof Error ? error : new Error(String(error))))
}

function systemReason({ name, code = '', message }: NodeJS.ErrnoException): string {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason !== undefined) return reason
  if (name === 'HTTPParserError') return 'The answer is not HTTP.'
  if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/.test(code))
    return `The request cannot be written as HTTP: ${message}.`
  if (/CERT|SELF_SIGNED|VERIFY|^ERR_(SSL|TLS)/.test(code))
    return `The certificate or TLS of the endpoint failed: ${code}. NODE_EXTRA_CA_CERTS names further authorities.`
  return `The connection failed: ${code || message}.`
}

/** A chunk counts as so many bytes at least, so that an answer that drips comes to an end too. */
const chunkLeast = 1024
const agentOptions = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: fixedLimits.receiverHeaderBytes,
  // How long an answer may take is for the caller to say, with its breaker.
  headersTimeout: 0,
  bodyTimeout: 2000,
}
/** Policies whose connections are kept at the same time. */
const lanesMost = 8

export interface PosterOptions {
  /** Asked for names that a policy does not know. Default: the machine's own resolver. */
  readonly resolve?: Resolve
}

type Settle = (posted: Posted) => void

/** Endpoints of one policy that are remembered with what the guard says of them. */
const targetsMost = 1000

/** Where an endpoint leads; `problem`: why nothing is let out to it. */
type Target =
  | { readonly problem: string }
  | { readonly problem: null; readonly origin: string; readonly path: string }

function targetOf(url: string, policy: GuardPolicy): Target {
  const problem = endpointProblem(url, policy)
  if (problem !== null) return { problem }
  const { origin, pathname, search } = new URL(url)
  return { problem, origin, path: `${pathname}${search}` }
}

/** What is let out under one policy, which never changes. */
function createLane(policy: GuardPolicy, resolve: Resolve) {
  const agent = new Agent({ ...agentOptions, connect: guardedConnector(buildConnector, policy, resolve) })
  const targets = new Map<string, Target>()
  return {
    agent,
    target: (url: string): Target => {
      const known = targets.get(url)
      if (known) return known
      if (targets.size >= targetsMost) targets.clear()
      const target = targetOf(url, policy)
      targets.set(url, target)
      return target
    },
  }
}
type Lane = ReturnType<typeof createLane>

/**
 * A connection belongs to the policy object under which it was let out, and serves no other: so a policy takes effect
 * at once, for kept connections too, when a new object takes its place.
 */
export function createPoster({ resolve = askMachine }: PosterOptions = {}): Poster {
  const lanes = new Map<GuardPolicy, Lane>()
  let isClosed = false

  const laneOf = (policy: GuardPolicy): Lane => {
    const kept = lanes.get(policy)
    if (kept) return kept
    const lane = createLane(policy, resolve)
    lanes.set(policy, lane)
    const [oldest] = lanes
    if (lanes.size > lanesMost && oldest) {
      lanes.delete(oldest[0])
      void oldest[1].agent.close()
    }
    return lane
  }
  const begin = (message: DeliveryRequest, policy: GuardPolicy, breaker: Breaker, settle: Settle): void => {
    if (isClosed) return settle(failedPost('unreachable', 'The sender was closed.'))
    const lane = laneOf(policy)
    const target = lane.target(message.url)
    if (target.problem !== null) return settle(failedPost('blocked', target.problem))
    if (breaker.isBroken) return settle(broken)
    const { method = 'POST', headers, body: bytes } = message
    const chunks = [bytes.subarray(0, -1), bytes.subarray(-1)]
    const body = message.inChunks ? Readable.from(chunks, { objectMode: false }) : bytes
    const { origin, path } = target
    const exchange = new Exchange(settle, breaker)
    lane.agent.dispatch({ origin, path, method, headers: headers.flat(), body }, exchange)
  }

  return {
    post: (message, policy, breaker) =>
      new Promise((settle) => {
        try {
          begin(message, policy, breaker, settle)
        } catch (error) {
          settle(postFailureOf(error))
        }
      }),
    close: async () => {
      isClosed = true
      const open = [...lanes.values()]
      lanes.clear()
      await Promise.all(open.map(({ agent }) => agent.destroy()))
    },
  }
}

const broken = failedPost('silent', 'No answer came in time.')

/** Settles with the status line; what is left of the answer is read, within bounds, to keep the connection. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: Settle
  readonly #breaker: Breaker
  #controller: Dispatcher.DispatchController | undefined
  #room = fixedLimits.receiverBodyBytes

  constructor(settle: Settle, breaker: Breaker) {
    this.#settle = settle
    this.#breaker = breaker
    breaker.holds(() => this.#breakOff())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It waited for its connection until now, and has written nothing yet.
    if (this.#breaker.isBroken) this.#breakOff()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    { location }: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status >= 200) this.#settle({ status, location: [location].flat()[0] ?? null, failure: null })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#room -= Math.max(chunk.length, chunkLeast)
    if (this.#room < 0) controller.abort(new Error('too long an answer'))
  }

  onResponseEnd(): void {
    this.#controller = undefined
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined
    this.#settle(postFailureOf(error))
  }

  #breakOff(): void {
    this.#settle(broken)
    this.#controller?.abort(new Error('broken off'))
  }
}
