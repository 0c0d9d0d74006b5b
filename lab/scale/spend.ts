/** What some work takes of replicas and of their database. */
import type { Database } from './database.ts'
import type { ScaledReplica } from './replica.ts'

export interface Spent {
  /** Microseconds of processor, of all replicas. */
  readonly replica: number
  /** The same, of PostgreSQL. */
  readonly server: number
  /** Bytes of WAL. */
  readonly wal: number
  /** Transactions that wrote what replicas changed. */
  readonly commits: number
}

export interface Cost extends Spent {
  /** Milliseconds. */
  readonly took: number
}

const nothing = { processor: 0, wal: 0, commits: 0 }

/** What the parts of a measurement took since before, with what the work gives. */
export async function spending<T>(
  replicas: readonly ScaledReplica[],
  database: Database | null,
  work: () => Promise<T>,
): Promise<Cost & { result: T }> {
  const look = async (): Promise<{ replica: number; server: typeof nothing }> => {
    const seen = await Promise.all(replicas.map((replica) => replica.look()))
    const replica = seen.reduce((sum, { processor }) => sum + processor, 0)
    return { replica, server: (await database?.written()) ?? nothing }
  }
  const before = await look()
  const began = performance.now()
  const result = await work()
  const took = performance.now() - began
  const after = await look()
  return {
    result,
    took,
    replica: after.replica - before.replica,
    server: after.server.processor - before.server.processor,
    wal: after.server.wal - before.server.wal,
    commits: after.server.commits - before.server.commits,
  }
}

/** Of one among so many. */
export function each({ replica, server, wal, commits }: Spent, many: number): Spent {
  return { replica: replica / many, server: server / many, wal: wal / many, commits: commits / many }
}

/** The middle of several, member by member. */
export function middle<T extends Readonly<Record<keyof T, number>>>(several: readonly T[]): T {
  const [first] = several
  if (!first) throw new Error('there is no middle of nothing: measure at least once')
  const names = Object.keys(first) as (keyof T)[]
  const entries = names.map((name) => {
    const values = several.map((one): number => one[name]).toSorted((a, b) => a - b)
    return [name, values[Math.floor(values.length / 2)]]
  })
  return Object.fromEntries(entries) as T
}
