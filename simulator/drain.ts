/** Ends a simulator gently: what was begun may end, and nothing else is begun. */
import { turnsOf } from './chat/drive.ts'
import type { HttpServer } from './server/http-server.ts'
import { afterRealTime, machineElapsed } from './tenant/clock/machine-time.ts'
import type { TenantState } from './tenant/tenant-state.ts'

export interface InFlight {
  /** Answers, open streams among them; until the last byte of each is on its way. */
  readonly answers: number
  /** Turns, those among them whose client went away. */
  readonly turns: number
  /** Attempts of deliveries. */
  readonly deliveries: number
}

/** How often it is asked whether everything has ended. */
const lookEveryMs = 20

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

export function inFlight(servers: readonly HttpServer[], states: readonly TenantState[]): InFlight {
  return {
    answers: sum(servers.map(({ open }) => open)),
    turns: sum(states.map(turnsOf)),
    deliveries: sum(states.map(({ outbox }) => outbox.counts.inFlight)),
  }
}

const isNothing = ({ answers, turns, deliveries }: InFlight): boolean => answers + turns + deliveries === 0

/** Attempts under way go on; no further one begins, and what waits stays what it is. Nobody follows the journal. */
function windDown({ rules, journal }: TenantState): void {
  rules.concurrency = { state: 0, webhook: 0 }
  journal.endWatches()
}

const moment = (): Promise<void> => new Promise((resolve) => void afterRealTime(lookEveryMs, resolve))

/**
 * Closes the servers to new connections, and resolves once nothing is under way, or after `withinMs` of real time: with
 * what has not ended then. Connections that are there are answered, and each ends with its answer.
 */
export async function drain(
  servers: readonly HttpServer[],
  states: () => readonly TenantState[],
  withinMs: number,
): Promise<InFlight> {
  const began = machineElapsed()
  for (const server of servers) server.drain()
  for (;;) {
    states().forEach(windDown)
    const left = inFlight(servers, states())
    if (isNothing(left) || machineElapsed() - began >= withinMs) return left
    await moment()
  }
}
