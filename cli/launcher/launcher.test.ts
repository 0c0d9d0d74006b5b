/** The simulator below a launcher that is killed, as a test harness kills npx. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin.ts', import.meta.url))

/** Starts its arguments as npm does, through a shell that stays, and prints what they print. */
const launcher = `
process.title = process.env.TITLE
const { spawn } = require('node:child_process')
spawn('sh', ['-c', '"$NODE" "$BIN" simulate --port 0 --json; :'], { stdio: 'inherit' })`

const left: number[] = []
afterEach(() => {
  for (const pid of left.splice(0)) kill(pid)
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The address of a simulator whose launcher was killed. */
async function orphaned(env: Readonly<Record<string, string>>): Promise<URL> {
  const child = spawn(process.execPath, ['-e', launcher], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that the test can end what is left.
    detached: true,
    env: { ...process.env, NODE: process.execPath, BIN: bin, ...env },
  })
  left.push(-(child.pid ?? 0))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  child.kill('SIGKILL')
  return new URL(url)
}

const isFree = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(Number(port), hostname, () => server.close(() => resolve(true)))
  })

const npx = { npm_command: 'exec', TITLE: 'npm exec touchstone simulate' }

test(
  'a simulator ends with the npx that started it, and outlives any other parent',
  { timeout: 60_000 },
  async () => {
    const others = [
      { ...npx, TITLE: 'a-daemon' },
      { ...npx, npm_command: 'run-script' },
    ]
    const outliving = await Promise.all(others.map(orphaned))
    const ending = await orphaned(npx)
    await expect.poll(() => isFree(ending)).toBe(true)
    expect(await Promise.all(outliving.map(isFree))).toEqual([false, false])
  },
)
