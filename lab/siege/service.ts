/** The simulator under siege: its processes, its store, and what the rig breaks of them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startReplica, type Replica } from '../crash/replica.ts'
import { startPostgres } from '../../test/postgres/server.ts'
import { openDisk } from './disk.ts'

export const storeKinds = ['memory', 'file', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

export interface Service extends AsyncDisposable {
  readonly urls: readonly string[]
  readonly replicas: readonly Replica[]
  /** Why some faults are left out. */
  readonly leftOut: readonly string[]
  /** How the disk is made full. */
  readonly diskWay: string
  /** How long a fault is felt after it is over, in ms. */
  readonly recoveryMs: number
  /** By name; each leaves the service as it was. */
  readonly faults: Readonly<Record<string, () => Promise<void>>>
  /** How long the event loop of a replica was ready to run and waited for a processor so far, in ms; NaN: unknown. */
  waitedMs(): number
  /** Memory of all processes (RSS), in bytes; NaN where it cannot be read. */
  rss(): number
  /** Ends all of them, deletes everything that is stored, and starts them again. */
  forget(): Promise<void>
}

const program = fileURLToPath(new URL('child.ts', import.meta.url))

/** What the image starts Node with, since such simulators are shared by strangers. */
function imageOptions(): string {
  const text = readFileSync(new URL('../../Containerfile', import.meta.url), 'utf8')
  const options = /^ENV NODE_OPTIONS=(.+)$/m.exec(text)?.[1]
  if (options === undefined) throw new Error('the Containerfile has no line ENV NODE_OPTIONS=…')
  return options
}

function rssOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

/** How long the main thread of a process was ready to run and waited for a processor so far, in ms; NaN: unknown. */
export function waitedOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000
  } catch {
    return Number.NaN
  }
}

/** Ends the replicas one after the other, in either way. */
function ends(replicas: readonly Replica[]): Service['faults'] {
  let turn = 0
  const restart = (way: 'kill' | 'end') => async (): Promise<void> => {
    const replica = replicas[turn++ % replicas.length]
    await replica?.[way]()
    await replica?.start()
  }
  return { kill: restart('kill'), restart: restart('end') }
}

/** A store, and what can be broken of it. */
interface Storage {
  readonly url: string
  readonly replicas: number
  /** Whoever takes over from a dead replica waits for so long. */
  readonly leaseMs: number
  readonly diskWay: string
  readonly leftOut: readonly string[]
  faults(replicas: readonly Replica[]): Service['faults']
  /** Deletes what is stored, where that is possible; no process has it open. */
  clear?(): void
  end(): Promise<void>
}

/** A shorter lease ends on a machine that is busy. */
const defaultLeaseMs = 10_000

/** Nothing outlives the process, so the process is never ended: what its memory grows by shows. */
function memoryStorage(): Storage {
  return {
    url: 'memory:',
    replicas: 1,
    leaseMs: defaultLeaseMs,
    leftOut: ['every fault of the rig: what is stored ends with its process, and there is no disk to fill'],
    diskWay: 'none',
    faults: () => ({}),
    end: async () => undefined,
  }
}

function fileStorage(folder: string): Storage {
  const disk = openDisk(folder)
  const fullMs = 4_000
  const full = async ([replica]: readonly Replica[]): Promise<void> => {
    const pid = replica?.pid ?? 0
    disk.fill(pid)
    await pause(fullMs)
    disk.free(pid)
  }
  const killedFull = async ([replica]: readonly Replica[]): Promise<void> => {
    disk.fill(replica?.pid ?? 0)
    await pause(fullMs / 2)
    await replica?.kill()
    disk.free(0)
    await replica?.start()
  }
  return {
    url: `file:${join(folder, 'siege.db')}`,
    replicas: 1,
    leaseMs: defaultLeaseMs,
    diskWay: disk.way,
    leftOut: disk.canFill ? [] : [`full disk: ${disk.way}`],
    faults: (replicas) => ({
      ...ends(replicas),
      ...(disk.canFill && { 'full disk': () => full(replicas) }),
      // A limit goes with its process; a full file system is there for the next one, too.
      ...(disk.canFill &&
        disk.way.startsWith('a file system') && {
          'kill while the disk is full': () => killedFull(replicas),
        }),
    }),
    clear: () => {
      for (const end of ['', '-wal', '-shm', '-journal'])
        rmSync(join(folder, `siege.db${end}`), { force: true })
    },
    end: async () => disk.end(),
  }
}

async function postgresStorage(): Promise<Storage> {
  const postgres = await startPostgres({ fsync: true })
  const awayMs = 2_000
  return {
    url: `${postgres.url}?schema=siege`,
    replicas: 2,
    leaseMs: defaultLeaseMs,
    diskWay: 'none: the disk of PostgreSQL is not that of the simulator',
    leftOut: ['full disk: with PostgreSQL it is that of the database server, which is not under test'],
    faults: (replicas) => ({
      ...ends(replicas),
      'database restart': async () => {
        await postgres.pause()
        await pause(awayMs)
        await postgres.resume()
      },
    }),
    end: () => postgres.stop(),
  }
}

const storages: Readonly<Record<StoreKind, (folder: string) => Storage | Promise<Storage>>> = {
  memory: memoryStorage,
  file: fileStorage,
  postgres: postgresStorage,
}

export async function startService(kind: StoreKind): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-siege-'))
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const storage = await storages[kind](disk)
  const replicas: Replica[] = []
  const leave = (): void => rmSync(folder, { recursive: true, force: true })
  process.on('exit', leave)
  const end = async (): Promise<void> => {
    await Promise.all(replicas.map((replica) => replica.kill()))
    await storage.end()
    process.off('exit', leave)
    leave()
  }
  try {
    for (let started = 0; started < storage.replicas; started++)
      replicas.push(await startReplica(storage.url, storage.leaseMs, program, imageOptions()))
  } catch (error) {
    await end()
    throw error
  }
  return {
    urls: replicas.map(({ url }) => url),
    replicas,
    leftOut: storage.leftOut,
    diskWay: storage.diskWay,
    recoveryMs: storage.leaseMs + 500,
    faults: storage.faults(replicas),
    waitedMs: () => replicas.reduce((sum, { pid }) => sum + waitedOf(pid), 0) / replicas.length,
    rss: () => replicas.reduce((sum, { pid }) => sum + rssOf(pid), 0),
    forget: async () => {
      await Promise.all(replicas.map((replica) => replica.kill()))
      storage.clear?.()
      await Promise.all(replicas.map((replica) => replica.start()))
    },
    [Symbol.asyncDispose]: end,
  }
}
