/** From results to numbers. */
import type { Profile } from '../../suites/index.ts'
import { hardIds, type HardFault } from './hard-faults.ts'
import type { Extent, Result, Sighting, ScenarioCost } from './jobs.ts'

/** Numbers that were seen; null where there were none. */
export interface Spread {
  median: number
  max: number
}

export interface Measured {
  fault: HardFault
  seeds: number
  /** Seeds that found it in a profile, and the requests of that profile up to and with the scenario that did. */
  found: Readonly<Record<Profile, { seeds: number; requests: Spread | null }>>
  /** Requests to make the first drawn course that failed small. */
  shrinking: Spread | null
}

export interface Summary {
  faults: readonly Measured[]
  /** Of all requests that a profile takes where nothing is wrong. */
  requests: Readonly<Record<Profile, number>>
  /** Share of all runs in which the fault was found, from 0 to 1. */
  shares: Readonly<Record<Profile, number>>
  clean: Alarms
  variants: Alarms & { different: number }
}

export interface Alarms {
  runs: number
  red: readonly string[]
}

export function spreadOf(numbers: readonly number[]): Spread | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  const [low, high, max] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
    sorted.at(-1),
  ]
  return low === undefined || high === undefined || max === undefined
    ? null
    : { median: (low + high) / 2, max }
}

/** Of something that never happened in so many runs: with 95 % confidence it happens no more often than this. */
export function atMost(runs: number): number {
  return runs === 0 ? 1 : Math.min(1, 3 / runs)
}

const each = <T>(of: (profile: Profile) => T): Readonly<Record<Profile, T>> => ({
  smoke: of('smoke'),
  standard: of('standard'),
  exhaustive: of('exhaustive'),
})

export function summaryOf(results: Iterable<Result>): Summary {
  const all = [...results]
  const costs = each((profile) => all.flatMap((one) => (isCosts(one, profile) ? one.scenarios : [])))
  const faults = hardIds.flatMap((fault) => {
    const runs = all.flatMap((one) => (one.is === 'fault' && one.fault === fault ? [one.red] : []))
    return runs.length === 0 ? [] : [measured(fault, runs, costs)]
  })
  const runs = faults.reduce((sum, { seeds }) => sum + seeds, 0)
  const hits = (profile: Profile): number => faults.reduce((sum, { found }) => sum + found[profile].seeds, 0)
  const clean = all.filter((one) => one.is === 'clean')
  const varied = clean.filter(({ variant }) => variant !== null)
  return {
    faults,
    requests: each((profile) => costs[profile].reduce((sum, { requests }) => sum + requests, 0)),
    shares: each((profile) => (runs === 0 ? 0 : hits(profile) / runs)),
    clean: alarms(clean.filter(({ variant }) => variant === null)),
    variants: { ...alarms(varied), different: new Set(varied.map(({ variant }) => variant)).size },
  }
}

const isCosts = (one: Result, profile: Profile): one is Result & { is: 'costs' } =>
  one.is === 'costs' && one.profile === profile

function alarms(runs: readonly { seed: number; variant: string | null; red: readonly string[] }[]): Alarms {
  const words = runs.flatMap(({ seed, variant, red }) =>
    red.map((line) => `${variant ?? 'the plain simulator'}, seed ${seed}: ${line}`),
  )
  return { runs: runs.length, red: words.sort() }
}

function measured(
  fault: HardFault,
  runs: readonly (readonly Sighting[])[],
  costs: Readonly<Record<Profile, readonly ScenarioCost[]>>,
): Measured {
  const found = each((profile) => {
    const spent = runs.map((red) => untilRed(red, costs[profile])).filter((requests) => requests !== null)
    return { seeds: spent.length, requests: spreadOf(spent) }
  })
  const shrinking = runs.flatMap((red) => red.find((one) => one.shrinking !== null)?.shrinking ?? [])
  return { fault, seeds: runs.length, found, shrinking: spreadOf(shrinking) }
}

/**
 * Requests of all scenarios up to the first red one of a plan, that one included; null where none of it is
 * red.
 */
function untilRed(red: readonly Sighting[], plan: readonly ScenarioCost[]): number | null {
  const seen = new Set(red.map(({ scenario }) => scenario))
  const at = plan.findIndex(({ scenario }) => seen.has(scenario))
  return at < 0 ? null : plan.slice(0, at + 1).reduce((sum, { requests }) => sum + requests, 0)
}

/** What is too little to say anything. */
const least: Extent = { seeds: 20, cleanRuns: 200 }

/** What the suite does not reach, in words, and what was not looked at often enough to say. */
export function shortfalls(
  { faults, shares, clean, variants }: Summary,
  { seeds, cleanRuns }: Extent = least,
): readonly string[] {
  const missed = faults.filter((one) => one.found.exhaustive.seeds < one.seeds).map(({ fault }) => fault)
  const seldom = hardIds.filter((id) => (faults.find(({ fault }) => fault === id)?.seeds ?? 0) < seeds)
  return [
    ...(missed.length > 0 ? [`not found by every seed in the exhaustive profile: ${missed.join(', ')}`] : []),
    ...(faults.length > 0 && shares.standard < 0.95
      ? [`found in the standard profile in ${Math.floor(100 * shares.standard)} of 100 runs, not in 95`]
      : []),
    ...(seldom.length > 0 ? [`${seldom.length} faults were tried with fewer than ${seeds} seeds`] : []),
    ...(Math.min(clean.runs, variants.runs) < cleanRuns
      ? [`fewer than ${cleanRuns} runs each of the plain simulator and of variants were looked at`]
      : []),
    ...[...clean.red, ...variants.red].map((line) => `false alarm: ${line}`),
  ]
}
