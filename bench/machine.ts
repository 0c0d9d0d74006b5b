/** Of the machine what a figure depends on, and nothing that tells whose it is. */
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

/** Whether figures in milliseconds or megabytes of one say anything about the other. */
export function isAlike(one: Machine, other: Machine): boolean {
  return one.cores === other.cores && one.processor === other.processor && one.system === other.system
}
