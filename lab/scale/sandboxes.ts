/** Sandboxes to work out, and what is assumed of the machines that carry them. */
import type { Margins, Prices, Sandbox } from './model.ts'
import type { Machines } from './reach.ts'

export const office: Omit<Sandbox, 'developers'> = {
  active: 0.1,
  turns: 60,
  visits: 2,
  visitMinutes: 10,
  restMinutes: 10,
  streamed: 0.5,
  streamSeconds: 5,
  turnsPerConversation: 5,
  delivered: 0.3,
  runs: 0.2,
  connections: 4,
  hours: 8,
  days: 5,
}

/** The same people, and their pipelines: twenty turns a minute of each who is at work. */
export const pipelines = { ...office, turns: 1_200, visits: 4 }

export const sandboxes = {
  'a team': { ...office, developers: 20, active: 0.5 },
  'a company': { ...office, developers: 500, active: 0.2 },
  'ten thousand developers': { ...office, developers: 10_000 },
  'the same, all in one hour': { ...office, developers: 10_000, active: 1 },
  'the same, with tests in every pipeline': { ...pipelines, developers: 10_000 },
} as const satisfies Record<string, Sandbox>

export type SandboxName = keyof typeof sandboxes

export const margins: Margins = { busy: 0.6, disk: 2, leastReplicas: 2 }

/** About what a machine is rented for by the hour, in US dollars: to be replaced by one's own. */
export const prices: Prices = { coreHour: 0.03, gibHour: 0.004, diskGibMonth: 0.1 }

/** A process has no more than about 4 GiB of heap, unless an option of Node raises it. */
export const machines = {
  'one process': { replicas: 1, gib: 4, serverCores: 1 },
  'one host of 8 cores, 32 GiB': { replicas: 6, gib: 24, serverCores: 2 },
  'four such hosts, and one for PostgreSQL': { replicas: 32, gib: 120, serverCores: 8 },
} as const satisfies Record<string, Machines>
