/** The other server as a process of its own, on a port that it chose. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { loadTarget, type Target } from '../../suites/index.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const hasPython = spawnSync('python3', ['--version']).status === 0

export interface OtherServer {
  target: Target
  stop(): Promise<void>
}

/** `fault`, `manner`: of those that `server.py --help` lists. */
export async function startOtherServer(fault?: string, manner?: string): Promise<OtherServer> {
  const options = ['-B', here('server.py'), '--port', '0']
  if (fault !== undefined) options.push('--fault', fault)
  if (manner !== undefined) options.push('--manner', manner)
  const child = spawn('python3', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`server.py ${options.join(' ')} ended at once`))),
  ])
  const { env } = JSON.parse(String(line)) as { env: Record<string, string> }
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  try {
    return { target: loadTarget(here('target.yaml'), env), stop }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}
