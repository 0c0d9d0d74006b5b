/** The staging servers of docs/kits.md run, and speak the control protocol. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kit = join(root, 'kits/control-protocol')
const pages = ['kits.md', 'containers.md']
const textOf = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-kits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function untilAnswered(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch {
    await wait(50, undefined, { signal })
    return untilAnswered(url, init, signal)
  }
}

const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']).status === 0

test.for([
  ['staging.ts', process.execPath, true],
  ['staging.py', 'python3', hasPython],
] as const)('%s', async ([name, program, isPresent], { signal, skip }) => {
  if (!isPresent) skip('it needs Python 3.11')
  const block = textOf('kits.md')
    .split('```')
    .find((text) => text.includes(` ${name}\n`))
  const port = await freePort()
  const module = pathToFileURL(join(kit, 'node/control-protocol.ts')).href
  const code = (block ?? '').replace(/^\w+\n/, '').replace('3001', String(port))
  writeFileSync(join(folder, name), code.replace('@touchstone-suite/touchstone/control-protocol', module))
  const env = { ...process.env, PYTHONPATH: join(kit, 'python'), CONTROL_TOKEN: 'a-token-of-this-page' }
  const child = spawn(program, [join(folder, name)], { env, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const init = { headers: { authorization: `Bearer ${env.CONTROL_TOKEN}` } }
  const response = await untilAnswered(`http://127.0.0.1:${port}/control`, init, signal)
  expect(await response.json()).toEqual({
    protocol: 'touchstone-control/1',
    states: ['chat.paused'],
    clock: false,
  })
})

test.for(pages)('the links of %s lead to files', (page) => {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
})
