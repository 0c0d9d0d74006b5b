/** The properties of a machine that figures depend on, and none that identify it. */
import { availableParallelism, cpus, totalmem } from 'node:os'
import { setTimeout } from 'node:timers/promises'

export interface Machine {
  cores: number
  processor: string
  /** Gigabytes. */
  memory: number
  node: string
  system: string
}

export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory: Math.round(totalmem() / 1e9),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
  }
}

/** Whether absolute figures of the two machines are comparable. */
export function isAlike(one: Machine, other: Machine): boolean {
  return one.cores === other.cores && one.processor === other.processor && one.system === other.system
}

/** The share of the processors that is in use over the next two seconds, from 0 to 1. */
export async function shareInUse(): Promise<number> {
  const before = processorTimes()
  await setTimeout(2_000)
  const after = processorTimes()
  return 1 - (after.idle - before.idle) / (after.total - before.total)
}

function processorTimes(): { idle: number; total: number } {
  const all = cpus().map(({ times }) => times)
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    total: all.flatMap((times) => Object.values(times)).reduce((sum, time) => sum + time, 0),
  }
}
