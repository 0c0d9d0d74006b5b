/** The work of a measurement in small pieces, each of which a process of its own may do. */
import type { Profile } from '../../suites/index.ts'
import { profiles } from '../../suites/index.ts'
import { variants, type VariantId } from '../../simulator/index.ts'
import { hardIds, type HardFault } from './hard-faults.ts'

export type Job =
  /** What every scenario of a profile takes on the plain simulator. */
  | { is: 'costs'; profile: Profile }
  | { is: 'fault'; fault: HardFault; seed: number }
  /** Nothing is wrong: `variant` of null is the plain simulator. */
  | { is: 'clean'; variant: VariantId | null; seed: number }

export type Result =
  | { is: 'costs'; profile: Profile; scenarios: readonly ScenarioCost[] }
  | { is: 'fault'; fault: HardFault; seed: number; red: readonly Sighting[] }
  | { is: 'clean'; variant: VariantId | null; seed: number; red: readonly string[] }

/** One scenario in the order of the plan, with the requests that it really sent. */
export interface ScenarioCost {
  scenario: string
  requests: number
}

/** A scenario in which a clause turned red that the fault breaks. */
export interface Sighting {
  scenario: string
  check: string
  /** Requests spent on making the course small, where the scenario drew one. */
  shrinking: number | null
}

export interface Extent {
  /** For each fault. */
  seeds: number
  /** Runs of the plain simulator; the variants together have at least as many. */
  cleanRuns: number
}

export const parts = ['faults', 'alarms'] as const
export type Part = (typeof parts)[number]

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1)

/** All jobs of a part, in an order in which the most informative come first. */
export function jobsOf(part: Part, { seeds, cleanRuns }: Extent): readonly Job[] {
  if (part === 'faults')
    return [
      ...profiles.map((profile): Job => ({ is: 'costs', profile })),
      ...upTo(seeds).flatMap((seed) => hardIds.map((fault): Job => ({ is: 'fault', fault, seed }))),
    ]
  const ids = Object.keys(variants) as readonly VariantId[]
  return [
    ...upTo(cleanRuns).map((seed): Job => ({ is: 'clean', variant: null, seed })),
    ...upTo(Math.ceil(cleanRuns / ids.length)).flatMap((seed) =>
      ids.map((variant): Job => ({ is: 'clean', variant, seed })),
    ),
  ]
}

/** The same for a job and its result. */
export function nameOf(job: Job | Result): string {
  if (job.is === 'costs') return `costs ${job.profile}`
  if (job.is === 'fault') return `fault ${job.fault} ${job.seed}`
  return `clean ${job.variant ?? 'simulator'} ${job.seed}`
}
