/** A PostgreSQL of its own for a test, on a free port of this machine, gone with everything in it afterwards. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programs, serverUser } from './programs.ts'

export interface PostgresOptions {
  /** Whether what was committed outlives a machine that loses its power. Default false, which is faster. */
  fsync?: boolean
}

export interface Postgres extends AsyncDisposable {
  /** Without a password: whoever is on this machine is let in. */
  url: string
  /** Ends it and takes its folder away. */
  stop(): Promise<void>
  /** The server is away: connections are closed, and new ones refused. */
  pause(): Promise<void>
  /** It is back where it was, with everything that was committed. */
  resume(): Promise<void>
}

const attempts = 3

export async function startPostgres({ fsync = false }: PostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-postgres-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const leave = guarded(folder)
  let running: ChildProcess | undefined
  const begin = async (port: number): Promise<void> => {
    running = await serve(data, port, fsync)
  }
  const pause = async (): Promise<void> => {
    if (running) await ended(running)
    running = undefined
  }
  const stop = async (): Promise<void> => {
    await pause()
    await leave()
  }
  try {
    create(data)
    const port = await onFreePort(begin)
    const url = `postgres://touchstone@127.0.0.1:${port}/postgres`
    return { url, stop, pause, resume: () => begin(port), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads until whoever started it ends, however that comes about; then ends the server, and takes its folder away. */
const guard = `read -r nothing
  pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid"
  for turn in 1 2 3 4 5 6 7 8 9 10; do [ -e "$1/data/postmaster.pid" ] && sleep 0.2; done
  rm -rf "$1"`

/** Call the result to have it gone now. */
function guarded(folder: string): () => Promise<void> {
  const child = spawn('sh', ['-c', guard, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  const gone = once(child, 'exit')
  return async () => {
    child.ref()
    child.stdin.end()
    await gone
  }
}

function program(name: string): string {
  if (programs) return join(programs, name)
  throw new Error(`there is no ${name} on this machine: install postgresql`)
}

function create(data: string): void {
  const options = ['-D', data, '-U', 'touchstone', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { status, stderr } = spawnSync(program('initdb'), options, { ...serverUser(), encoding: 'utf8' })
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
}

/** Somebody else may take the port between the moment it is found free and the moment it is listened on. */
async function onFreePort(begin: (port: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      await begin(port)
      return port
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function serve(data: string, port: number, fsync: boolean): Promise<ChildProcess> {
  const durable = fsync ? 'on' : 'off'
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: durable,
    full_page_writes: durable,
    synchronous_commit: durable,
    max_connections: 100,
    shared_buffers: '64MB',
    lc_messages: 'C',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program('postgres'), ['-D', data, ...options], {
    ...serverUser(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL ended at once: ${said.join('\n')}`)))
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve()
      if (said.length < 20) said.push(line)
    })
  })
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  // Fast shutdown: whoever is connected is thrown out.
  child.kill('SIGINT')
  await exit
}
