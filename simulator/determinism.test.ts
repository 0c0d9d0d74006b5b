import { request } from 'node:http'
import { expect, test } from 'vitest'
import { createSimulator } from './index.ts'
import type { JsonObject } from './json.ts'

/** Posts with headers that do not depend on the port. */
function post(port: number, path: string, token: string, body: JsonObject): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'simulator',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const sent = request({ port, path, method: 'POST', headers }, (answer) => {
      answer.resume().on('end', resolve)
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

/** One run of the same requests; what the journal holds of it, as text. */
async function run(seed: string): Promise<string> {
  const simulator = await createSimulator({ seed, clock: { mode: 'frozen' } })
  const { tenant, port } = simulator
  const roles = ['plain', 'workflow', 'tools', 'gate', 'failing', 'paused', 'forbidden', 'foreign'] as const
  for (const [index, role] of roles.entries()) {
    const path = `/api/v1/chat/${tenant.agents[role]}`
    const body = { message: `message ${index}`, idempotency_key: `key ${index}` }
    await post(port, path, tenant.keys.main, body)
    await post(port, path, tenant.keys.main, { ...body, stream: true })
    await post(port, path, 'sk-unknown', body)
  }
  const entries = await tenant.journal.waitFor({}, { count: roles.length * 3 })
  const text = JSON.stringify(entries, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
  for (const token of Object.values(tenant.keys)) expect(text).not.toContain(token)
  await simulator.close()
  return text
}

test('the same seed and requests under a frozen clock leave the same journal, byte for byte', async () => {
  const first = await run('one')
  expect(await run('one')).toBe(first)
  expect(await run('two')).not.toBe(first)
})
