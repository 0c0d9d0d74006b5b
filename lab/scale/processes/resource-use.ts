/** Measures the resources that work uses in replicas and their database. */
import type { Database } from './database.ts'
import type { ScaledReplica } from './replica.ts'

export interface ResourceUse {
  /** Processor time of all replicas, in microseconds. */
  readonly replica: number
  /** Processor time of PostgreSQL, in microseconds. */
  readonly server: number
  /** Bytes of WAL. */
  readonly wal: number
  /** Transactions in which replicas stored changes. */
  readonly commits: number
}

export interface TimedUse extends ResourceUse {
  /** Milliseconds. */
  readonly ms: number
}

const nothing = { processor: 0, wal: 0, commits: 0 }

/** Runs the work; returns its result and the resources used meanwhile. */
export async function measureUse<T>(
  replicas: readonly ScaledReplica[],
  database: Database | null,
  work: () => Promise<T>,
): Promise<TimedUse & { result: T }> {
  const readCounters = async (): Promise<{ replica: number; server: typeof nothing }> => {
    const seen = await Promise.all(replicas.map((replica) => replica.status()))
    const replica = seen.reduce((sum, { processor }) => sum + processor, 0)
    return { replica, server: (await database?.written()) ?? nothing }
  }
  const before = await readCounters()
  const began = performance.now()
  const result = await work()
  const ms = performance.now() - began
  const after = await readCounters()
  return {
    result,
    ms: ms,
    replica: after.replica - before.replica,
    server: after.server.processor - before.server.processor,
    wal: after.server.wal - before.server.wal,
    commits: after.server.commits - before.server.commits,
  }
}

/** Average per item. */
export function perItem({ replica, server, wal, commits }: ResourceUse, many: number): ResourceUse {
  return { replica: replica / many, server: server / many, wal: wal / many, commits: commits / many }
}

/** Medians, member by member. Throws if there are no values. */
export function medianOf<T extends Readonly<Record<keyof T, number>>>(several: readonly T[]): T {
  const [first] = several
  if (!first) throw new Error('no values to take a median of: measure at least once')
  const names = Object.keys(first) as (keyof T)[]
  const entries = names.map((name) => {
    const values = several.map((one): number => one[name]).toSorted((a, b) => a - b)
    return [name, values[Math.floor(values.length / 2)]]
  })
  return Object.fromEntries(entries) as T
}
