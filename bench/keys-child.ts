/**
 * Runs turns with a new key each, without a socket in between, and sends a point of the course now and then: so many
 * keys, the memory they take once what is no longer used was collected, and how fast the turns since the last one were.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { handleChat } from '../simulator/chat/handler.ts'
import { presentValues } from '../simulator/server/call.ts'
import { createSimulator } from '../simulator/index.ts'
import { endWithParent } from './questions.ts'

export interface Point {
  keys: number
  /** Bytes in use. */
  heap: number
  /** Turns since the point before, for each second of processor. */
  rate: number
}

endWithParent()
const [total = 0, points = 1] = process.argv.slice(2).map(Number)
const abreast = 50

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const simulator = await createSimulator({ unlimited: true })
const { tenant } = simulator
tenant.setCredits('main', 1e9)

const headers = [
  ['authorization', `Bearer ${tenant.keys.main}`],
  ['content-type', 'application/json'],
] as const
let made = 0

async function turn(): Promise<void> {
  const number = (made += 1)
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
  const until = made + count
  const lane = async (): Promise<void> => {
    while (made < until) await turn()
  }
  await Promise.all(Array.from({ length: abreast }, lane))
}

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

// What is compiled on the way is not to be taken for keys.
await turns(2_000)
const course: Point[] = [{ keys: 0, heap: heap(), rate: 0 }]
for (let at = 1; at <= points; at += 1) {
  const before = process.cpuUsage()
  await turns(total / points)
  const { user, system } = process.cpuUsage(before)
  course.push({ keys: (at * total) / points, heap: heap(), rate: (1e6 * total) / points / (user + system) })
}
await simulator.close()
process.send?.(course)
