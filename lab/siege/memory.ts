/** Whether memory stays flat: what a siege measured of its replicas, and the rule. */
import { quantile } from '../../bench/figures.ts'

export const memoryBounds = {
  /** Memory of one replica. */
  rssMiB: 1_536,
  /** Median of the last quarter against the second: the first fills what is bounded, such as journals. */
  growthRatio: 1.1,
  /** Fewer samples, of two a second, end while that still fills up, and are not judged. */
  samplesLeast: 1_200,
} as const

export interface Memory {
  /** Medians of four parts of equal length, in MiB. */
  readonly quarters: readonly number[]
  readonly peakMiB: number
  readonly samples: number
}

export const mebibytes = (bytes: number): number => bytes / (1024 * 1024)

const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/** `rss`: bytes, at even distances of time; what could not be read is NaN and left out. */
export function memoryOf(rss: readonly number[]): Memory {
  const samples = rss.filter((bytes) => !Number.isNaN(bytes)).map(mebibytes)
  const at = (quarter: number): number => Math.floor((samples.length * quarter) / 4)
  return {
    quarters: [0, 1, 2, 3].map((quarter) => median(samples.slice(at(quarter), at(quarter + 1)))),
    peakMiB: samples.reduce((most, one) => Math.max(most, one), 0),
    samples: samples.length,
  }
}

/** Undefined: the siege was too short to judge. */
export function growthOf({ quarters, samples }: Memory): number | undefined {
  const [, second = Number.NaN, , last = Number.NaN] = quarters
  return samples < memoryBounds.samplesLeast ? undefined : last / second
}

export function memoryProblems(memory: Memory, replicas: number): readonly string[] {
  const growth = growthOf(memory) ?? 0
  const most = memoryBounds.rssMiB * replicas
  return [
    ...(growth <= memoryBounds.growthRatio
      ? []
      : [
          `memory grew: the median of the last quarter is ${growth.toFixed(2)} times that of the second; the bound is ${memoryBounds.growthRatio}`,
        ]),
    ...(memory.peakMiB > most
      ? [`memory reached ${memory.peakMiB.toFixed(0)} MiB; the bound is ${most}`]
      : []),
  ]
}
