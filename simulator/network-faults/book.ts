/** The disturbances of one world, and which of them a request meets. */
import { refusals } from '../chat/refusal.ts'
import type { Call } from '../server/call.ts'
import type { Disturbance, Trouble } from './disturbance.ts'

export interface DisturbanceBook {
  /** Throws a RangeError for what cannot happen, and then adds nothing. */
  add(disturbances: readonly Disturbance[]): void
  clear(): void
  /** What happens to this request, in the order given; counts it. */
  meet(call: Pick<Call, 'method' | 'path'>): readonly Trouble[]
  /** Those still to be met, and what is left of each. */
  readonly armed: readonly Armed[]
  /** Puts back what `armed` gave. */
  arm(armed: readonly Armed[]): void
}

export interface Armed {
  readonly disturbance: Disturbance
  /** Requests that it lets pass before. */
  toPass: number
  /** Requests that meet it yet. */
  left: number
}

const chatTurns = { method: 'POST', path: '/api/v1/chat/' }

/** Webhooks are managed undisturbed: the journal keeps the secrets in those answers out only where they are whole. */
const undisturbed = '/api/agents/'

function matches({ on = chatTurns }: Disturbance, { method, path }: Pick<Call, 'method' | 'path'>): boolean {
  if (path.startsWith(undisturbed)) return false
  return (on.method ?? method) === method && path.startsWith(on.path ?? '')
}

function proven({ after = 0, times = 1, do: trouble }: Disturbance): void {
  if (!(after >= 0) || !(times >= 1))
    throw new RangeError(`after ${after}, times ${times}: give at least 0 and at least 1.`)
  if (trouble.is === 'refuse' && !Object.hasOwn(refusals, trouble.code))
    throw new RangeError(
      `There is no refusal ${JSON.stringify(trouble.code)}; there are: ${Object.keys(refusals).join(', ')}.`,
    )
  if (trouble.is === 'answer' && !(trouble.status >= 200 && trouble.status <= 599))
    throw new RangeError(`An answer cannot have the status ${trouble.status}; give one of 200 to 599.`)
}

const none: readonly Trouble[] = []

export function createDisturbanceBook(first: readonly Disturbance[] = []): DisturbanceBook {
  const armed: Armed[] = []
  const add = (disturbances: readonly Disturbance[]): void => {
    for (const disturbance of disturbances) proven(disturbance)
    for (const disturbance of disturbances)
      armed.push({ disturbance, toPass: disturbance.after ?? 0, left: disturbance.times ?? 1 })
  }
  add(first)
  return {
    add,
    clear: () => void armed.splice(0),
    armed,
    arm: (more) => void armed.push(...more),
    meet: (call) => {
      if (armed.length === 0) return none
      const met: Trouble[] = []
      for (const one of armed.slice()) {
        if (!matches(one.disturbance, call)) continue
        if (one.toPass-- > 0) continue
        met.push(one.disturbance.do)
        if (--one.left <= 0) armed.splice(armed.indexOf(one), 1)
      }
      return met
    },
  }
}
