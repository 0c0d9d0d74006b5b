/** The package under runtimes that are not Node. They come from npm with a lock of their own, and only for this. */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installTools } from './tools.ts'
import { packCopy } from '../scripts/package/pack-copy.ts'

const run = promisify(execFile)
const tools = installTools(join(import.meta.dirname, 'runtimes'))
const packageName = '@touchstone-suite/touchstone'
const command = `node_modules/${packageName}/dist/cli/bin.js`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-runtimes-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await writeFile(join(folder, 'turn.js'), turn)
  await run('npm', ['install', '--no-audit', '--no-fund', packCopy()], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const turn = `
import { ServiceClient } from '${packageName}/client'
import { withTenant } from '${packageName}/simulator'
await withTenant(async ({ url, keys, agents }) => {
  const client = new ServiceClient({ baseUrl: url, apiKey: keys.main })
  const message = { agentId: agents.plain, message: 'Hello', idempotencyKey: 'order-1001' }
  console.log((await client.sendMessage(message)).response)
})
`

const runtimes = { deno: ['deno', 'run', '--allow-all'], bun: ['bun'] }

test.for(Object.entries(runtimes))('%s runs the suite, the simulator and the client', async ([, words]) => {
  const [name = '', ...options] = words
  // The program itself: what stands in .bin needs an install script.
  const [program = ''] = globSync(`node_modules/@{deno,oven}/*/{,bin/}${name}`, { cwd: tools })
  const on = (...rest: string[]) => run(join(tools, program), [...options, ...rest], { cwd: folder })

  const { stdout } = await on(command, 'check', 'simulator', '--profile', 'smoke', '--out', name)
  expect(stdout).toContain('partial (smoke profile) · gate passed')
  expect((await on(command, 'verify', name, '--rejudge')).stdout).toContain('verdicts recomputed: same')
  expect((await on('turn.js')).stdout).toBe('You said: Hello\n')
})
