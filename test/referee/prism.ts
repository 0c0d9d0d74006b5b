/** Prism, a tool of others that reads our document: started the way a user would, and ended by its id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { freePort } from '../free-port.ts'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const prism = file('../../node_modules/@stoplight/prism-cli/dist/index.js')
const document = file('../../spec/openapi.yaml')

const mostStartSeconds = 60

export interface Prism {
  url: string
  stop(): Promise<void>
}

/** Answers from our document alone. */
export function startMock(): Promise<Prism> {
  return start('mock', [document])
}

/** Hands every request on to `upstream`, and says in a header of each answer what our document has against it. */
export function startProxy(upstream: string): Promise<Prism> {
  return start('proxy', [document, upstream, '--validate-request', 'false'])
}

/** Throws where Prism ends, or does not answer in time, with what it printed. */
async function start(command: 'mock' | 'proxy', rest: readonly string[]): Promise<Prism> {
  const port = await freePort()
  const args = [prism, command, '--port', String(port), '--verboseLevel', 'warn', ...rest]
  // In production it starts several processes, and falls over them.
  const env = { ...process.env, NODE_ENV: 'test' }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => void printed.push(bytes.toString()))
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  while (!(await isThere(url))) {
    const seconds = (performance.now() - began) / 1000
    if (!hasEnded(child) && seconds < mostStartSeconds) {
      await sleep(50)
      continue
    }
    await stop(child)
    const how = hasEnded(child) ? 'ended at once' : `did not answer within ${mostStartSeconds} s`
    throw new Error(`prism ${command} ${how}: ${printed.join('').slice(-2_000) || 'it printed nothing'}`)
  }
  return { url, stop: () => stop(child) }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Any answer shows that it is there. The first one takes it longest, so that is spent here. */
async function isThere(url: string): Promise<boolean> {
  try {
    const headers = { 'content-type': 'application/json' }
    const path = '/api/v1/chat/agent'
    await (await request(url + path, { method: 'POST', headers, body: '{"message":"hello"}' })).body.dump()
    return true
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const impatient = new AbortController()
  const killed = sleep(3_000, undefined, { signal: impatient.signal, ref: false }).then(
    () => child.kill('SIGKILL'),
    () => false,
  )
  await ended
  impatient.abort()
  await killed
}
