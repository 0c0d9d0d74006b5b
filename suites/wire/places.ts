/** The base addresses of a target, each with connections of its own. */
import { baseUrlProblem, direct, routeTo, type TargetAccess } from './route.ts'
import { connectionsTo, type Connections } from './connections.ts'
import type { Header, SentRequest } from './exchange.ts'

export interface BaseAddress {
  readonly prefix: string
  /** Sent with every request, for the way there. */
  readonly headers: readonly Header[]
  readonly connections: Connections
}

export interface Places {
  readonly first: BaseAddress
  /** Where a request goes. Throws for a replica that is none of them. */
  of(request: Pick<SentRequest, 'replica'>): BaseAddress
  close(wait: (over: AbortSignal) => Promise<void>): Promise<void>
}

interface Addresses {
  baseUrl: string
  replicas?: readonly string[]
  timeoutMs: number
  access?: TargetAccess
}

export function placesOf({ baseUrl, replicas = [], timeoutMs, access = direct }: Addresses): Places {
  const place = (address: string): BaseAddress => {
    const base = baseOf(address)
    const route = routeTo(base, Math.min(timeoutMs, 10_000), access)
    const prefix = `${route.prefix}${base.pathname.replace(/\/+$/, '')}`
    return { prefix, headers: route.headers, connections: connectionsTo(route) }
  }
  const first = place(baseUrl)
  const further = new Map(replicas.map((replica) => [replica, place(replica)]))
  return {
    first,
    of({ replica }) {
      const found = replica === undefined ? first : further.get(replica)
      if (found) return found
      throw new Error(`${replica} is no base address of the target; declare it under \`target.replicas\``)
    },
    async close(wait) {
      const over = new AbortController()
      const latest = wait(over.signal)
      await Promise.all([first, ...further.values()].map(({ connections }) => connections.close(latest)))
      over.abort('over')
    },
  }
}

function baseOf(baseUrl: string): URL {
  const problem = baseUrlProblem(baseUrl)
  if (problem === null) return new URL(baseUrl)
  throw new Error(`the base address ${problem}`)
}
