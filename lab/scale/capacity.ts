/** How many developers given machines serve, and what limits them. */
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

export type Bottleneck = 'processor of replicas' | 'memory of replicas' | 'processor of PostgreSQL'

export interface Capacity {
  readonly developers: number
  readonly turnsPerSecond: number
  /** What has no room for one more. */
  readonly bottleneck: Bottleneck
}

const free = { coreHour: 0, gibHour: 0, diskGibMonth: 0 }

function exceeded(need: Need, { replicas, gib, serverCores }: Machines): Bottleneck | null {
  if (need.memoryGib > gib) return 'memory of replicas'
  if (need.replicas > replicas) return 'processor of replicas'
  return need.serverCoresHad > serverCores ? 'processor of PostgreSQL' : null
}

/** Ignores `margins.leastReplicas`, because all replicas run. Searches up to 1e9 developers. */
export function capacityOf(
  costs: Figures,
  sandbox: Omit<Sandbox, 'developers'>,
  margins: Margins,
  machines: Machines,
): Capacity {
  const needed = (developers: number): Need =>
    needOf(costs, { ...sandbox, developers }, { ...margins, leastReplicas: machines.replicas }, free)
  let [enough, many] = [0, 1e9]
  while (many - enough > 1) {
    const middle = Math.floor((enough + many) / 2)
    if (exceeded(needed(middle), machines) === null) enough = middle
    else many = middle
  }
  return {
    developers: enough,
    turnsPerSecond: needed(enough).turnsPerSecond,
    bottleneck: exceeded(needed(many), machines) ?? 'processor of replicas',
  }
}
