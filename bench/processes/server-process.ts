/** A server in its own process, started as a user would. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { request } from 'undici'

export interface ServerProcess {
  url: string
  port: number
  /** Milliseconds from the start of the command to the first 200. */
  startedIn: number
  stop: () => Promise<void>
}

export interface ReadinessProbe {
  path: string
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/** Starts Node and polls until the server responds 200. Throws after 20 seconds. */
export async function startServer(
  args: readonly string[],
  port: number,
  probe: ReadinessProbe,
): Promise<ServerProcess> {
  // With NODE_ENV=production Prism starts several processes and fails.
  const env = { ...process.env, NODE_ENV: 'test' }
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore', env })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers200(url, probe))) {
    if (performance.now() - began > 20_000) {
      await end(child)
      throw new Error(`${args.join(' ')} did not answer ${probe.path} with 200 within 20 s`)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return { url, port, startedIn: performance.now() - began, stop: () => end(child) }
}

async function answers200(
  url: string,
  { path, method, headers = {}, body }: ReadinessProbe,
): Promise<boolean> {
  try {
    const answer = await request(url + path, { method, headers, body: body ?? null })
    await answer.body.dump()
    return answer.statusCode === 200
  } catch {
    return false
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGINT')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(killTimer)
}
