/** lab/scale/scale.json: the results with date and machine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bench/cache.ts'
import type { Machine } from '../../bench/machine.ts'
import type { Throughput } from './commits.ts'
import type { ExtentName } from './extent.ts'
import type { Figures } from './figures.ts'
import type { LoadTime } from './tenant-costs.ts'
import type { Simulation } from './simulation.ts'

export interface ScaleResults {
  readonly machine: Machine
  /** As in `2026-11-30`. */
  readonly date: string
  readonly extent: ExtentName
  readonly figures: Figures
  /** One replica. */
  readonly commits: readonly Throughput[]
  /** Several. */
  readonly spread: readonly Throughput[]
  readonly loadTimes: readonly LoadTime[]
  readonly simulation: Simulation
}

const file = join(root, 'lab/scale/scale.json')

export const readScale = (): ScaleResults => JSON.parse(readFileSync(file, 'utf8')) as ScaleResults

export function writeScale(results: ScaleResults): void {
  writeFileSync(file, `${JSON.stringify(results, rounded, 2)}\n`)
}

/** More than four digits would be noise. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
