/** A replica in its own process, which creates tenants on command and reports its resource use. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSimulator, type TenantOptions } from '../../../simulator/index.ts'
import { openStore } from '../../../simulator/store/open.ts'

export interface ReplicaSettings {
  /** A URL for `openStore`; absent: state is not stored. */
  store?: string
  /** Idle time after which a tenant is unloaded, in ms. */
  idleMs?: number
}

/** Credentials and ids for requests of a tenant. */
export interface TenantAccess {
  id: string
  key: string
  agent: string
  session: string
}

export type ReplicaCommand =
  | { do: 'make'; tenants: number; concurrency: number; options: TenantOptions }
  /** After a full garbage collection. */
  | { do: 'statusAfterGc' }
  | { do: 'status' }
  | { do: 'close' }

export interface ReplicaStatus {
  /** Processor time since the start, in microseconds. */
  processor: number
  /** Bytes. */
  rss: number
  heap: number
  /** Loaded tenants. */
  tenants: number
  /** Deliveries of the loaded tenants. */
  delivered: number
  /** Deliveries in flight or due. */
  waiting: number
}

const { store: url, idleMs = 600_000 }: ReplicaSettings = JSON.parse(process.argv[2] ?? '{}')
const store = url === undefined ? undefined : await openStore(url)
const simulator = await createSimulator({
  unlimited: true,
  control: true,
  seed: 'scale',
  replica: { idleMs, leaseMs: 5_000 },
  limits: { tenants: 1_000_000 },
  notice: (line) => console.error(line),
  ...(store && { store }),
})

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') return
  for (let time = 0; time < 2; time += 1) gc()
}

async function make({
  tenants,
  concurrency,
  options,
}: ReplicaCommand & { do: 'make' }): Promise<readonly TenantAccess[]> {
  const made: TenantAccess[] = []
  let left = tenants
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const { id, keys, agents, sessions } = await simulator.addTenant({ unlimited: true, ...options })
      made.push({ id, key: keys.main, agent: agents.plain, session: sessions.main })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return made
}

function status(): ReplicaStatus {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed: heap } = process.memoryUsage()
  const counts = simulator.tenants.map(({ state }) => state.outbox.counts)
  const delivered = counts.reduce((sum, one) => sum + one.delivered, 0)
  const waiting = counts.reduce((sum, one) => sum + one.inFlight + one.waiting, 0)
  return {
    processor: user + system,
    rss: rss,
    heap,
    tenants: simulator.tenants.length,
    delivered,
    waiting,
  }
}

async function close(): Promise<void> {
  await simulator.close()
  await store?.close()
}

async function execute(command: ReplicaCommand): Promise<unknown> {
  if (command.do === 'make') return make(command)
  if (command.do === 'close') return close()
  if (command.do === 'statusAfterGc') collect()
  return status()
}

process.on('message', (command: ReplicaCommand) => {
  execute(command).then(
    (result) => process.send?.({ result: result ?? null }),
    (reason: unknown) => process.send?.({ threw: reason instanceof Error ? reason.message : String(reason) }),
  )
})
process.send?.(simulator.port)
