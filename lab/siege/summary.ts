/** The figures of a siege, and what of them is a violation. */
import { quantile } from '../../bench/figures.ts'
import type { Latencies } from './call.ts'
import { growthOf, memoryBounds, memoryOf } from './memory.ts'

/** What a run is held to. */
export const bounds = {
  /** p99 under siege against p99 in quiet phases of the same run. */
  latencyRatio: 10,
  /** A quiet p99 below so many ms counts as so many: less is noise of the machine. */
  quietFloorMs: 5,
} as const

export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

export function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((one, other) => one - other)
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

export const ratioOf = (quiet: Latency, siege: Latency): number =>
  siege.p99 / Math.max(bounds.quietFloorMs, quiet.p99)

/** Enough for a p99 that one slow answer does not decide. */
const samplesLeast = 300

export function latencyProblems({ quiet, siege }: Latencies): readonly string[] {
  const [before, under] = [latencyOf(quiet), latencyOf(siege)]
  if (before.count < samplesLeast || under.count < samplesLeast)
    return [`only ${before.count} quiet and ${under.count} besieged answers were timed: run it for longer`]
  const ratio = ratioOf(before, under)
  return ratio <= bounds.latencyRatio
    ? []
    : [
        `p99 under siege is ${ratio.toFixed(1)} times that in quiet phases; the bound is ${bounds.latencyRatio}`,
      ]
}

const spoken = ({ count, p50, p99 }: Latency): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${count.toLocaleString('en')} requests)`

/** Shares of time in which the event loop of a replica, or of the honest clients, was ready to run and had no processor. */
export interface Waited {
  readonly quiet: number[]
  readonly siege: number[]
}

export interface Summary {
  readonly store: string
  readonly minutes: number
  readonly latencies: Latencies
  readonly rss: readonly number[]
  readonly waited: Waited
  readonly clientsWaited: Waited
  /** Of health checks, each on a new connection. */
  readonly connected: Latencies
  readonly replicas: number
  readonly disk: string
  readonly leftOut: readonly string[]
  readonly acts: Readonly<Record<string, number>>
  readonly received: number
  /** By fault, how often. */
  readonly faults: Readonly<Record<string, number>>
  readonly entries: number
  readonly deliveries: { readonly first: number; readonly repeats: number }
  readonly health: number
  readonly violations: readonly string[]
}

const counted = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).map(([name, count]) => `  ${name}: ${count.toLocaleString('en')}`)

const shownMost = 20

const percent = (shares: readonly number[]): string => {
  const known = shares.filter((share) => share >= 0)
  const mean = known.reduce((sum, share) => sum + share, 0) / known.length
  return Number.isNaN(mean) ? 'unknown' : `${(mean * 100).toFixed(0)} %`
}

/** Of too few for a p99. */
const ofNewConnection = (values: readonly number[]): string => {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.5, 0.95].map((share) => `${quantile(sorted, share).toFixed(0)} ms`).join(' and ')
}

const shares = ({ quiet, siege }: Waited): string =>
  `quiet ${percent(quiet)} of the time, besieged ${percent(siege)}`

function memoryLine(rss: readonly number[]): string {
  const memory = memoryOf(rss)
  const growth = growthOf(memory)
  const judged =
    growth === undefined
      ? 'too short a siege to judge whether it grows'
      : `last to second ${growth.toFixed(2)} (bound ${memoryBounds.growthRatio})`
  const quarters = memory.quarters.map((size) => size.toFixed(0)).join(', ')
  return `memory:   ${quarters} MiB by quarter, peak ${memory.peakMiB.toFixed(0)} MiB; ${judged}`
}

export function summaryLines(summary: Summary): readonly string[] {
  const { latencies, waited, clientsWaited, connected, replicas, violations, deliveries, leftOut } = summary
  const [quiet, siege] = [latencyOf(latencies.quiet), latencyOf(latencies.siege)]
  return [
    `siege of ${summary.minutes.toFixed(1)} minutes, store ${summary.store}, ${replicas} replica${replicas > 1 ? 's' : ''}`,
    `quiet:    ${spoken(quiet)}`,
    `besieged: ${spoken(siege)}`,
    `ratio of p99: ${ratioOf(quiet, siege).toFixed(1)} (bound ${bounds.latencyRatio})`,
    `a new connection, p50 and p95: quiet ${ofNewConnection(connected.quiet)}, besieged ${ofNewConnection(connected.siege)}`,
    `a replica waited for a processor: ${shares(waited)}`,
    `the honest clients waited for a processor: ${shares(clientsWaited)}`,
    memoryLine(summary.rss),
    `honest:   ${summary.entries.toLocaleString('en')} keys, ${deliveries.first.toLocaleString('en')} deliveries, ${deliveries.repeats} of them again, ${summary.health.toLocaleString('en')} health checks`,
    `full disk: ${summary.disk}`,
    ...leftOut.map((line) => `left out: ${line}`),
    'faults of the rig:',
    ...counted(summary.faults),
    'hostile acts:',
    ...counted(summary.acts),
    `  connections of hostile receivers: ${summary.received.toLocaleString('en')}`,
    `violations: ${violations.length}`,
    ...violations.slice(0, shownMost).map((line) => `  ${line}`),
    ...(violations.length > shownMost ? [`  and ${violations.length - shownMost} more`] : []),
  ]
}

/** One line for each store, after all of them. */
export function verdictLine({ store, minutes, latencies, rss, violations }: Summary): string {
  const ratio = ratioOf(latencyOf(latencies.quiet), latencyOf(latencies.siege))
  const growth = growthOf(memoryOf(rss))
  const memory = growth === undefined ? 'not judged' : `x ${growth.toFixed(2)}`
  return `${store}: ${minutes.toFixed(1)} minutes, p99 x ${ratio.toFixed(1)}, memory ${memory}, ${violations.length} violations`
}
