/** The other server, each time as a process of its own, on a port that it chose. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ownAddress } from '../../cli/simulator-target.ts'
import { loadTarget, type Target } from '../../suites/index.ts'
import type { Certificate } from '../../suites/config/target.ts'

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

interface Started {
  pid: number
  env: Record<string, string>
}

async function forked(options: string): Promise<Started> {
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
  return JSON.parse(String(line)) as Started
}

const zone = 'moving.other.test'

/** Made by openssl, once a process; null where the machine has none. */
let made: Certificate | null | undefined
const folder = join(tmpdir(), `other-server-${process.pid}`)
const trusted = join(folder, 'cert.pem')
function certificate(): Certificate | null {
  if (made !== undefined) return made
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const keyFile = join(folder, 'key.pem')
  const about = ['-subj', `/CN=${zone}`, '-addext', `subjectAltName=DNS:*.${zone}`, '-days', '2']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const words = ['req', '-x509', ...kind, ...about, '-keyout', keyFile, '-out', trusted]
  const { status } = spawnSync('openssl', words, { stdio: 'ignore' })
  const pem = (path: string): string => readFileSync(path, 'utf8')
  made = status === 0 ? { cert: pem(trusted), key: pem(keyFile) } : null
  return made
}

/** One after the other, so that each line names the server that was asked for. */
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
  // Names whose address changes, and what the server is started with to find them.
  const listen = ownAddress()
  const has = certificate()
  const moving = {
    options: [`--name-server ${zone}=${listen}`, ...(has ? [`--trust ${trusted}`] : [])],
    // An address that is assigned to no network: what is sent there arrives nowhere.
    resolver: { listen, zone, first: '3000::1', later: '127.0.0.1', rebinding: true, certificate: has },
  }
  const options = [
    '--port 0',
    ...moving.options,
    ...(fault === undefined ? [] : [`--fault ${fault}`]),
    ...(ways.length === 0 ? [] : [`--ways ${ways.join(',')}`]),
    ...(vendor === undefined ? [] : [`--vendor ${vendor}`]),
  ]
  const asked = before.then(() => forked(options.join(' ')))
  before = asked.catch(() => undefined)
  const { pid, env } = await asked
  const stop = (): void => void process.kill(pid)
  try {
    const target = loadTarget(here('target.yaml'), env)
    return { target: { ...target, receiver: { ...target.receiver, resolver: moving.resolver } }, stop }
  } catch (thrown) {
    stop()
    throw thrown
  }
}
