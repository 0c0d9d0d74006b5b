/** Posts deliveries through the guard, over connections that are kept and used again. */
import type { Agent, Dispatcher } from 'undici'
import type * as Undici from 'undici'
import type { Message } from '../delivery.ts'
import { askMachine, guardedConnector, type Resolve } from './connect.ts'
import { endpointProblem } from './endpoint.ts'
import { failed, failureOf } from './failure.ts'
import type { GuardPolicy, Poster, Posted } from './guard.ts'

/** Bytes of an answer that are read to keep its connection; with more to come it is dropped. */
const bodyMost = 64 * 1024
/** A chunk counts as so many bytes at least, so that an answer that drips comes to an end too. */
const chunkLeast = 1024
const agentOptions = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
  // How long an answer may take is for the caller to say, with its signal.
  headersTimeout: 0,
  bodyTimeout: 2000,
}
/** Policies whose connections are kept at the same time. */
const lanesMost = 8

export interface PosterOptions {
  /** Asked for names that a policy does not know. Default: the machine's own resolver. */
  readonly resolve?: Resolve
}

/**
 * A connection belongs to the policy object under which it was let out, and serves no other: so a policy takes effect
 * at once, for kept connections too, when a new object takes its place.
 */
export function createPoster({ resolve = askMachine }: PosterOptions = {}): Poster {
  const lanes = new Map<GuardPolicy, Agent>()
  let undici: typeof Undici | undefined
  let isClosed = false

  const laneOf = ({ Agent, buildConnector }: typeof Undici, policy: GuardPolicy): Agent => {
    const kept = lanes.get(policy)
    if (kept) return kept
    const agent = new Agent({ ...agentOptions, connect: guardedConnector(buildConnector, policy, resolve) })
    lanes.set(policy, agent)
    const [oldest] = lanes
    if (lanes.size > lanesMost && oldest) {
      lanes.delete(oldest[0])
      void oldest[1].close()
    }
    return agent
  }

  return {
    post: async (message, policy, signal) => {
      try {
        const problem = endpointProblem(message.url, policy)
        if (problem !== null) return failed('blocked', problem)
        // Loaded with the first delivery: a simulator that sends none starts without it.
        undici ??= await import('undici')
        if (isClosed) return failed('unreachable', 'The sender was closed.')
        if (signal.aborted) return broken
        return await exchange(laneOf(undici, policy), message, signal)
      } catch (error) {
        return failureOf(error)
      }
    },
    close: async () => {
      isClosed = true
      const agents = [...lanes.values()]
      lanes.clear()
      await Promise.all(agents.map((agent) => agent.destroy()))
    },
  }
}

const broken = failed('silent', 'No answer came in time.')

/** Settles with the status line; what is left of the answer is read, within bounds, to keep the connection. */
function exchange(
  agent: Agent,
  { url, method, headers, body }: Message,
  signal: AbortSignal,
): Promise<Posted> {
  const { origin, pathname, search } = new URL(url)
  return new Promise((settle) => {
    let controller: Dispatcher.DispatchController | undefined
    let room = bodyMost
    const breakOff = (): void => {
      settle(broken)
      controller?.abort(new Error('broken off'))
    }
    const over = (): void => signal.removeEventListener('abort', breakOff)
    signal.addEventListener('abort', breakOff, { once: true })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started
        // It waited for its connection until now, and has written nothing yet.
        if (signal.aborted) started.abort(new Error('broken off'))
      },
      onResponseStart: (_controller, status, { location }) => {
        if (status >= 200) settle({ status, location: oneOf(location), failure: null })
      },
      onResponseData: (reading, chunk) => {
        room -= Math.max(chunk.length, chunkLeast)
        if (room < 0) reading.abort(new Error('too long an answer'))
      },
      onResponseEnd: over,
      onResponseError: (_controller, error) => {
        over()
        settle(failureOf(error))
      },
    }
    const path = `${pathname}${search}`
    agent.dispatch({ origin, path, method: method ?? 'POST', headers: headers.flat(), body }, handler)
  })
}

function oneOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
