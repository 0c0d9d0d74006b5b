/** One replica as a process of its own: makes tenants when it is told to, and tells what it takes of the machine. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSimulator, type TenantOptions } from '../../simulator/index.ts'
import { openStore } from '../../simulator/store/open.ts'

export interface ReplicaSettings {
  /** As `openStore` takes it; absent: nothing is kept. */
  store?: string
  /** After which a tenant is put down, in ms. */
  idleMs?: number
}

/** What whoever works with a tenant needs of it. */
export interface Access {
  id: string
  key: string
  agent: string
  session: string
}

export type Order =
  | { do: 'make'; tenants: number; abreast: number; options: TenantOptions }
  /** After a full collection. */
  | { do: 'weigh' }
  | { do: 'look' }
  | { do: 'close' }

export interface Seen {
  /** Microseconds of processor since the process began. */
  processor: number
  /** Bytes. */
  resident: number
  heap: number
  /** Tenants that are here. */
  tenants: number
  /** Of those that are here. */
  delivered: number
  /** Deliveries under way, and those that are due. */
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

async function make({ tenants, abreast, options }: Order & { do: 'make' }): Promise<readonly Access[]> {
  const made: Access[] = []
  let left = tenants
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const { id, keys, agents, sessions } = await simulator.addTenant({ unlimited: true, ...options })
      made.push({ id, key: keys.main, agent: agents.plain, session: sessions.main })
    }
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  return made
}

function look(): Seen {
  const { user, system } = process.cpuUsage()
  const { rss: resident, heapUsed: heap } = process.memoryUsage()
  const counts = simulator.tenants.map(({ state }) => state.outbox.counts)
  const delivered = counts.reduce((sum, one) => sum + one.delivered, 0)
  const waiting = counts.reduce((sum, one) => sum + one.inFlight + one.waiting, 0)
  return {
    processor: user + system,
    resident,
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

async function done(order: Order): Promise<unknown> {
  if (order.do === 'make') return make(order)
  if (order.do === 'close') return close()
  if (order.do === 'weigh') collect()
  return look()
}

process.on('message', (order: Order) => {
  done(order).then(
    (result) => process.send?.({ result: result ?? null }),
    (reason: unknown) => process.send?.({ threw: reason instanceof Error ? reason.message : String(reason) }),
  )
})
process.send?.(simulator.port)
