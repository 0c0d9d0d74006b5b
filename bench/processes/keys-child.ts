/**
 * Runs turns with a new idempotency key each, without a socket, and sends samples: the number of keys, the heap after a
 * garbage collection, and the rate of turns since the previous sample.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { handleChat } from '../../simulator/chat/handler.ts'
import { presentValues } from '../../simulator/server/call.ts'
import { createSimulator } from '../../simulator/index.ts'
import { endWithParent } from './child-requests.ts'

export interface KeysSample {
  keys: number
  /** Heap in use, in bytes. */
  heap: number
  /** Turns since the previous sample per second of processor time. */
  rate: number
}

endWithParent()
const [total = 0, points = 1] = process.argv.slice(2).map(Number)
const concurrency = 50

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const simulator = await createSimulator({ unlimited: true })
const { tenant } = simulator
tenant.setCredits('main', 1e9)

const headers = [
  ['authorization', `Bearer ${tenant.keys.main}`],
  ['content-type', 'application/json'],
] as const
let created = 0

async function turn(): Promise<void> {
  const number = (created += 1)
  const reply = await handleChat(tenant.state, {
    id: number,
    connection: 1,
    server: 1,
    method: 'POST',
    path: `/api/v1/chat/${tenant.agents.plain}`,
    params: { agentId: tenant.agents.plain },
    headers,
    body: Buffer.from(JSON.stringify({ message: 'Where is my order?', idempotency_key: `key-${number}` })),
    client: presentValues,
  })
  if (reply.kind !== 'json' || reply.status !== 200)
    throw new Error(`turn ${number} was answered with ${reply.kind === 'json' ? reply.status : reply.kind}`)
}

async function turns(count: number): Promise<void> {
  const until = created + count
  const lane = async (): Promise<void> => {
    while (created < until) await turn()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

// Warm-up: code compiled on the way must not be counted as memory of keys.
await turns(2_000)
const samples: KeysSample[] = [{ keys: 0, heap: heap(), rate: 0 }]
for (let at = 1; at <= points; at += 1) {
  const before = process.cpuUsage()
  await turns(total / points)
  const { user, system } = process.cpuUsage(before)
  samples.push({ keys: (at * total) / points, heap: heap(), rate: (1e6 * total) / points / (user + system) })
}
await simulator.close()
process.send?.(samples)
