/** Runs the commands of the page about MCP, with a client and by hand. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { connectMcp } from '../../simulator/mcp/testing/mcp-client.testkit.ts'

const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator()
})
afterAll(() => simulator.close())

/** A block of the page, of this simulator and with its key. */
function block(language: string): string {
  const [, found] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? []
  if (found === undefined) throw new Error(`docs/mcp.md has no block of ${language}`)
  return found
    .replace('http://127.0.0.1:4010', simulator.url)
    .replace('sk-your-key', simulator.tenant.keys.main)
}

interface Configuration {
  mcpServers: { touchstone: { type: string; url: string; headers: Record<string, string> } }
}

test('a client that is configured so finds every tool that the page names', async () => {
  const { url, headers } = (JSON.parse(block('json')) as Configuration).mcpServers.touchstone
  const { tools } = await (await connectMcp(url, headers)).listTools()
  const named = [...page.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
})

test('the call by hand is answered with a receipt', async () => {
  const shell = spawn('bash', ['-ec', block('sh')], {
    env: { ...process.env, KEY: simulator.tenant.keys.main },
  })
  const [out, [code]] = await Promise.all([text(shell.stdout), once(shell, 'exit')])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    result: { structuredContent: { status: 'completed', data: { count: 1 } }, isError: false },
  })
})
