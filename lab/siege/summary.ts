/** The figures of a siege, and what of them is a violation. */
import { quantile } from '../../bench/figures.ts'
import type { Latencies } from './call.ts'

/** What a run is held to. */
export const bounds = {
  /** p99 under siege against p99 in quiet phases of the same run. */
  latencyRatio: 10,
  /** A quiet p99 below so many ms counts as so many: less is noise of the machine. */
  quietFloorMs: 5,
  /** Memory of one replica. */
  rssMiB: 1_536,
  /** Median of the last third against the first, beyond what fills up to a limit in the first minutes. */
  growthRatio: 1.5,
  growthMiB: 128,
} as const

export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

export interface Memory {
  readonly firstMiB: number
  readonly lastMiB: number
  readonly peakMiB: number
}

const mebibyte = 1024 * 1024

export function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((one, other) => one - other)
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/** `rss`: bytes, at even distances of time; what could not be read is NaN and left out. */
export function memoryOf(rss: readonly number[]): Memory {
  const samples = rss.filter((bytes) => !Number.isNaN(bytes)).map((bytes) => bytes / mebibyte)
  const third = Math.max(1, Math.floor(samples.length / 3))
  return {
    firstMiB: median(samples.slice(0, third)),
    lastMiB: median(samples.slice(-third)),
    peakMiB: samples.reduce((most, one) => Math.max(most, one), 0),
  }
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

export function memoryProblems({ firstMiB, lastMiB, peakMiB }: Memory, replicas: number): readonly string[] {
  const grown = lastMiB > firstMiB * bounds.growthRatio + bounds.growthMiB
  const [first, last, peak] = [firstMiB, lastMiB, peakMiB].map((size) => size.toFixed(0))
  return [
    ...(grown ? [`memory grew from ${first} to ${last} MiB`] : []),
    ...(peakMiB > bounds.rssMiB * replicas
      ? [`memory reached ${peak} MiB; the bound is ${bounds.rssMiB * replicas}`]
      : []),
  ]
}

const spoken = ({ count, p50, p99 }: Latency): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${count.toLocaleString('en')} requests)`

export interface Summary {
  readonly store: string
  readonly minutes: number
  readonly latencies: Latencies
  readonly rss: readonly number[]
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

export function summaryLines(summary: Summary): readonly string[] {
  const { latencies, rss, replicas, violations, deliveries, leftOut } = summary
  const [quiet, siege] = [latencyOf(latencies.quiet), latencyOf(latencies.siege)]
  const { firstMiB, lastMiB, peakMiB } = memoryOf(rss)
  return [
    `siege of ${summary.minutes.toFixed(1)} minutes, store ${summary.store}, ${replicas} replica${replicas > 1 ? 's' : ''}`,
    `quiet:    ${spoken(quiet)}`,
    `besieged: ${spoken(siege)}`,
    `ratio of p99: ${ratioOf(quiet, siege).toFixed(1)} (bound ${bounds.latencyRatio})`,
    `memory:   first third ${firstMiB.toFixed(0)} MiB, last third ${lastMiB.toFixed(0)} MiB, peak ${peakMiB.toFixed(0)} MiB`,
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
