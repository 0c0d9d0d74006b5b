/** The network faults of one tenant, and which of them a request meets. */
import { refusals } from '../edge/refusal.ts'
import type { Call } from '../edge/reply.ts'
import type { NetworkFault, NetworkFaultAction } from './network-fault.ts'

export interface NetworkFaultBook {
  /** Throws a RangeError for what cannot happen, and then adds nothing. */
  add(networkFaults: readonly NetworkFault[]): void
  clear(): void
  /** What happens to this request, in the order given; counts it. */
  meet(call: Pick<Call, 'method' | 'path'>): readonly NetworkFaultAction[]
  /** Those still to be met, and what is left of each. */
  readonly armed: readonly Armed[]
  /** Puts back what `armed` gave. */
  arm(armed: readonly Armed[]): void
}

export interface Armed {
  readonly networkFault: NetworkFault
  /** Requests that it lets pass before. */
  toPass: number
  /** Requests that meet it yet. */
  left: number
}

const chatTurns = { method: 'POST', path: '/api/v1/chat/' }

/** Webhooks are managed undisturbed: the journal keeps the secrets in those answers out only where they are whole. */
const undisturbed = '/api/agents/'

function matches({ on = chatTurns }: NetworkFault, { method, path }: Pick<Call, 'method' | 'path'>): boolean {
  if (path.startsWith(undisturbed)) return false
  return (on.method ?? method) === method && path.startsWith(on.path ?? '')
}

function proven({ after = 0, times = 1, do: trouble }: NetworkFault): void {
  if (!(after >= 0) || !(times >= 1))
    throw new RangeError(`after ${after}, times ${times}: give at least 0 and at least 1.`)
  if (trouble.is === 'refuse' && !Object.hasOwn(refusals, trouble.code))
    throw new RangeError(
      `There is no refusal ${JSON.stringify(trouble.code)}; there are: ${Object.keys(refusals).join(', ')}.`,
    )
  if (trouble.is === 'answer' && !(trouble.status >= 200 && trouble.status <= 599))
    throw new RangeError(`An answer cannot have the status ${trouble.status}; give one of 200 to 599.`)
}

const none: readonly NetworkFaultAction[] = []

export function createNetworkFaultBook(first: readonly NetworkFault[] = []): NetworkFaultBook {
  const armed: Armed[] = []
  const add = (networkFaults: readonly NetworkFault[]): void => {
    for (const networkFault of networkFaults) proven(networkFault)
    for (const networkFault of networkFaults)
      armed.push({ networkFault, toPass: networkFault.after ?? 0, left: networkFault.times ?? 1 })
  }
  add(first)
  return {
    add,
    clear: () => void armed.splice(0),
    armed,
    arm: (more) => void armed.push(...more),
    meet: (call) => {
      if (armed.length === 0) return none
      const met: NetworkFaultAction[] = []
      for (const one of armed.slice()) {
        if (!matches(one.networkFault, call)) continue
        if (one.toPass-- > 0) continue
        met.push(one.networkFault.do)
        if (--one.left <= 0) armed.splice(armed.indexOf(one), 1)
      }
      return met
    },
  }
}
