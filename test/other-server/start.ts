/** The other server, each time as a process of its own, on a port that it chose. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { loadTarget, type Target } from '../../suites/index.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const hasPython = spawnSync('python3', ['--version']).status === 0

/** The names that --fault takes. */
export const otherFaults = (): readonly string[] =>
  spawnSync('python3', ['-B', here('server.py'), '--list-faults'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')

export interface OtherServer {
  target: Target
  stop(): void
}

interface Source {
  child: ChildProcess
  lines: Interface
}

/** What servers are forked from: it has everything loaded, and ends with this process. */
let source: Source | undefined
function sourceOf(): Source {
  const child = spawn('python3', ['-B', here('server.py'), '--each'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.once('exit', () => (source = undefined))
  return { child, lines: createInterface(child.stdout) }
}

interface Told {
  pid: number
  env: Record<string, string>
}

async function forked(options: string): Promise<Told> {
  const { child, lines } = (source ??= sourceOf())
  const ended = new AbortController()
  const { signal } = ended
  child.stdin?.write(`${options}\n`)
  const [line] = await Promise.race([
    once(lines, 'line', { signal }),
    once(child, 'exit', { signal }).then(() =>
      Promise.reject(new Error(`server.py ${options} ended at once`)),
    ),
  ]).finally(() => ended.abort())
  return JSON.parse(String(line)) as Told
}

/** One after the other, so that each line is told of the server that was asked for. */
let before: Promise<unknown> = Promise.resolve()

interface OtherOptions {
  /** Of those that `server.py --help` lists. */
  fault?: string | undefined
  ways?: readonly string[]
  /** Its word in the names of its headers. Default: the one that target.yaml declares. */
  vendor?: string
}

export async function startOtherServer({
  fault,
  ways = [],
  vendor,
}: OtherOptions = {}): Promise<OtherServer> {
  const options = [
    '--port 0',
    ...(fault === undefined ? [] : [`--fault ${fault}`]),
    ...(ways.length === 0 ? [] : [`--ways ${ways.join(',')}`]),
    ...(vendor === undefined ? [] : [`--vendor ${vendor}`]),
  ]
  const asked = before.then(() => forked(options.join(' ')))
  before = asked.catch(() => undefined)
  const { pid, env } = await asked
  const stop = (): void => void process.kill(pid)
  try {
    return { target: loadTarget(here('target.yaml'), env), stop }
  } catch (thrown) {
    stop()
    throw thrown
  }
}
