/** The question the other way round: how many developers some machines serve, and what gives way then. */
import type { Figures } from './figures.ts'
import { needOf, type Margins, type Need, type Sandbox } from './model.ts'

export interface Machines {
  /** Processes of one core each. */
  readonly replicas: number
  /** Memory for all of them. */
  readonly gib: number
  /** Cores for PostgreSQL. */
  readonly serverCores: number
}

export type Part = 'processor of replicas' | 'memory of replicas' | 'processor of PostgreSQL'

export interface Reach {
  readonly developers: number
  readonly turnsPerSecond: number
  /** What one more would be too many for. */
  readonly part: Part
}

const free = { coreHour: 0, gibHour: 0, diskGibMonth: 0 }

function tooMuch(need: Need, { replicas, gib, serverCores }: Machines): Part | null {
  if (need.memoryGib > gib) return 'memory of replicas'
  if (need.replicas > replicas) return 'processor of replicas'
  return need.serverCoresHad > serverCores ? 'processor of PostgreSQL' : null
}

/** `margins.leastReplicas` does not count: all that there are run. Of no more than a thousand million developers. */
export function reachOf(
  costs: Figures,
  sandbox: Omit<Sandbox, 'developers'>,
  margins: Margins,
  machines: Machines,
): Reach {
  const needed = (developers: number): Need =>
    needOf(costs, { ...sandbox, developers }, { ...margins, leastReplicas: machines.replicas }, free)
  let [enough, many] = [0, 1e9]
  while (many - enough > 1) {
    const middle = Math.floor((enough + many) / 2)
    if (tooMuch(needed(middle), machines) === null) enough = middle
    else many = middle
  }
  return {
    developers: enough,
    turnsPerSecond: needed(enough).turnsPerSecond,
    part: tooMuch(needed(many), machines) ?? 'processor of replicas',
  }
}
