/** The properties of a machine that figures depend on, and none that identify it. */
import { availableParallelism, cpus, totalmem } from 'node:os'

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
