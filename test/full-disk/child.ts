/** Keeps turns in a folder until the disk is full, makes room, goes on, and starts again; prints what it met as JSON. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type Simulator } from '../../simulator/index.ts'

const [folder = ''] = process.argv.slice(2)
const ballast = join(folder, 'ballast')
const notices: string[] = []
const options = {
  store: `file:${join(folder, 'store.db')}`,
  notice: (line: string) => void notices.push(line),
}

let turns = 0
async function turn({ tenant }: Simulator, key: string): Promise<Response> {
  const response = await fetch(`${tenant.url}/api/v1/chat/${tenant.agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': key },
    body: JSON.stringify({ message: 'x'.repeat(3_000) }),
  })
  await response.arrayBuffer()
  return response
}
const health = async ({ url }: Simulator): Promise<unknown> => (await fetch(`${url}/healthz`)).json()

const first = await createSimulator({ ...options, unlimited: true })
writeFileSync(ballast, Buffer.alloc(1_500_000))
while ((await turn(first, `key ${turns}`)).status === 200) turns++
const refused = (await turn(first, 'another')).status
const full = await health(first)
const json = { 'content-type': 'application/json' }
const created = await fetch(`${first.url}/_sim/v1/tenants`, { method: 'POST', headers: json, body: '{}' })
rmSync(ballast)
const later = (await turn(first, `key ${turns}`)).status
const room = await health(first)
await first.close()

const second = await createSimulator({ ...options, unlimited: true })
const replayed: (string | null)[] = []
for (const key of ['key 0', `key ${turns - 1}`, `key ${turns}`])
  replayed.push((await turn(second, key)).headers.get('x-service-idempotent-replay'))
await second.close()
console.log(JSON.stringify({ refused, full, created: created.status, later, room, replayed, notices }))
