/** What the page about webhooks tells to paste or to write, beside the commands that test/docs.test.ts runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { sessionHeader } from '../cli/session-header.ts'
import { createSimulator } from '../simulator/index.ts'
import { loadTarget } from '../suites/config/file/file.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

function block(language: string): string {
  const [, found] =
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(read('../docs/webhooks.md')) ?? []
  if (found === undefined) throw new Error(`docs/webhooks.md has no block of ${language}`)
  return found
}

test('the lines that send a delivery again do so, under its id', async () => {
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

test('the part of a target file loads in place of that of the example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-webhooks-'))
  const file = join(folder, 'touchstone.yaml')
  type File = Readonly<Record<string, object>>
  const { states: events, ...part } = parse(block('yaml')) as File
  const { states, ...whole } = parse(read('../docs/target.example.yaml')) as File
  const other = Object.entries(states ?? {}).filter(([state]) => !state.startsWith('event.'))
  try {
    writeFileSync(file, stringify({ ...whole, ...part, states: { ...Object.fromEntries(other), ...events } }))
    const named = [...readFileSync(file, 'utf8').matchAll(/env:(\w+)/g)].map(([, name = '']) => name)
    const env = Object.fromEntries(
      named.map((name) => [
        name,
        name.endsWith('URL') ? `https://${name.toLowerCase().replace('_', '-')}.example` : `x-${name}`,
      ]),
    )
    const target = loadTarget(file, env)

    expect(target.receiver).toMatchObject({ mode: 'public', publicUrl: 'https://receiver-url.example' })
    expect(target.session).not.toBeNull()
    expect([target.states['event.booking.created'], target.states['event.leads.submit']]).toMatchObject([
      { provide: 'fixture' },
      { provide: 'http' },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
