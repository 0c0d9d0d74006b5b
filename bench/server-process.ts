/** A server started as a process of its own, the way a user would, until it is told to stop. */
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

export interface Probe {
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

/** Starts Node with these arguments, and asks until it answers 200; gives up after 20 seconds. */
export async function startServer(
  args: readonly string[],
  port: number,
  probe: Probe,
): Promise<ServerProcess> {
  // In production Prism starts several processes, and falls over them.
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

async function answers200(url: string, { path, method, headers = {}, body }: Probe): Promise<boolean> {
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
  const impatient = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(impatient)
}
