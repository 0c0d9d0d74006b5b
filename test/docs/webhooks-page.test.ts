/** The shell lines of docs/webhooks.md; test/docs/docs.test.ts runs its commands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sessionHeader } from '../../cli/session-header.ts'
import { createSimulator } from '../../simulator/index.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

function block(language: string): string {
  const [, found] =
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(read('../../docs/webhooks.md')) ?? []
  if (found === undefined) throw new Error(`docs/webhooks.md has no block of ${language}`)
  return found
}

test('the lines that send a delivery again use its id', async () => {
  const simulator = await createSimulator({ seed: 'touchstone', control: true })
  const { tenant, url } = simulator
  try {
    const created = await fetch(`${url}/api/agents/${tenant.agents.plain}/webhooks`, {
      method: 'POST',
      headers: [sessionHeader(tenant), ['Content-Type', 'application/json']],
      body: JSON.stringify({ name: 'Mine', endpoint_url: 'http://localhost:1/', events: ['leads.submit'] }),
    })
    const [id] = tenant.emit('leads.submit')
    const shell = spawn('bash', ['-ec', block('sh').replace('http://127.0.0.1:4010', url)])
    const [out, [code]] = await Promise.all([text(shell.stdout), once(shell, 'exit')])

    expect([created.status, code]).toEqual([201, 0])
    expect(JSON.parse(out)).toEqual({ delivery: id })
    expect(tenant.deliveries().map((delivery) => delivery.id)).toEqual([id, id])
  } finally {
    await simulator.close()
  }
})
