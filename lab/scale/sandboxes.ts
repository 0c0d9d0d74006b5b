/** The sandboxes to calculate, and assumptions about machines. */
import type { Margins, Prices, Sandbox } from './model.ts'
import type { Machines } from './capacity.ts'

export const interactive: Omit<Sandbox, 'developers'> = {
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

/** With CI pipelines: twenty turns a minute of each active developer. */
export const pipelines = { ...interactive, turns: 1_200, visits: 4 }

export const sandboxes = {
  'a team': { ...interactive, developers: 20, active: 0.5 },
  'a company': { ...interactive, developers: 500, active: 0.2 },
  'ten thousand developers': { ...interactive, developers: 10_000 },
  'the same, all in one hour': { ...interactive, developers: 10_000, active: 1 },
  'the same, with tests in every pipeline': { ...pipelines, developers: 10_000 },
} as const satisfies Record<string, Sandbox>

export type SandboxName = keyof typeof sandboxes

export const margins: Margins = { busy: 0.6, disk: 2, leastReplicas: 2 }

/** Typical prices of rented machines, in US dollars. */
export const prices: Prices = { coreHour: 0.03, gibHour: 0.004, diskGibMonth: 0.1 }

/** By default the heap of a process is limited to about 4 GiB. */
export const machines = {
  'one process': { replicas: 1, gib: 4, serverCores: 1 },
  'one host of 8 cores, 32 GiB': { replicas: 6, gib: 24, serverCores: 2 },
  'four such hosts, and one for PostgreSQL': { replicas: 32, gib: 120, serverCores: 8 },
} as const satisfies Record<string, Machines>
