/** Processes of a benchmark: the package as it is published, the children of bench/children, and other mocks. */
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { bundleSources } from '../scripts/build/bundle.ts'
import { freePort } from '../test/free-port.ts'
import type { Bare } from './children/bare.ts'
import type { Load, Loaded } from './children/load.ts'
import type { RunningSimulator } from './children/simulator.ts'

export const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/touchstone-bench')

/** Bundles the package as it is published: what first has to strip types takes more time and memory than for users. */
async function build(): Promise<string> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'package-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Has the module type and the version.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  await bundleSources(join(folder, 'dist'))
  return folder
}

const folder = await build()
export const command = join(folder, 'dist/cli/bin.js')

interface Started {
  readonly stop: () => Promise<void>
}

/** Stops what was started when the work has ended, in reverse order. */
export async function withAutoStop<T>(
  work: (autoStop: <S extends Started>(starting: Promise<S>) => Promise<S>) => Promise<T>,
): Promise<T> {
  const running: Started[] = []
  try {
    return await work(async (starting) => {
      const started = await starting
      running.push(started)
      return started
    })
  } finally {
    for (const started of running.toReversed()) await started.stop()
  }
}

interface Child<T> extends Started {
  /** Its first message. */
  readonly ready: T
  /** Sends a message and resolves with the reply; one at a time. */
  readonly ask: (question: string | object) => Promise<unknown>
}

async function startChild<T>(name: string, ...args: readonly string[]): Promise<Child<T>> {
  const file = join(folder, `${name}.js`)
  writeFileSync(
    file,
    stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'children', `${name}.ts`), 'utf8')),
  )
  const child = fork(file, args)
  const early = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended early, with exit code ${code}`)
  })
  early.catch(() => undefined)
  const next = async (): Promise<unknown> =>
    ((await Promise.race([once(child, 'message'), early])) as [unknown])[0]
  return {
    ready: (await next()) as T,
    ask: (question) => {
      const reply = next()
      child.send(question)
      return reply
    },
    stop: async () => {
      child.kill('SIGKILL')
      await early.catch(() => undefined)
    },
  }
}

export const startSimulator = (): Promise<Child<RunningSimulator>> =>
  startChild('simulator', join(folder, 'dist/simulator/index.js'))

export const startBare = (bare: Bare): Promise<Child<number>> => startChild('bare', JSON.stringify(bare))

export interface Loader extends Started {
  /** Throws if a response is not a 200. */
  readonly load: (load: Load) => Promise<Loaded>
}

/** One process for all sides of a measurement, so that it is warm for each. */
export async function startLoader(): Promise<Loader> {
  const { ask, stop } = await startChild('load')
  return {
    stop,
    load: async (load) => {
      const reply = (await ask(load)) as Loaded | { failed: string }
      if ('failed' in reply) throw new Error(`load on port ${load.port}: ${reply.failed}`)
      return reply
    },
  }
}

export interface Server extends Started {
  readonly port: number
  /** From the start of the command to the first 200, in ms. */
  readonly startedIn: number
}

/** Starts Node with these arguments and `--port`, and polls until it responds 200, for 20 seconds. */
export async function startServer(
  args: readonly string[],
  probe: string,
  init: RequestInit = {},
): Promise<Server> {
  const port = await freePort()
  // With NODE_ENV=production Prism starts several processes and fails.
  const env = { ...process.env, NODE_ENV: 'test' }
  const began = performance.now()
  const child = spawn(process.execPath, [...args, '--port', `${port}`], { stdio: 'ignore', env })
  const ended = once(child, 'exit')
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${probe}`, init).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    )
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  while (!(await isReady())) {
    if (performance.now() - began < 20_000) continue
    await stop()
    throw new Error(`${args.join(' ')} did not answer ${probe} with 200 within 20 s`)
  }
  return { port, startedIn: performance.now() - began, stop }
}

export type Turn = Pick<Load, 'path' | 'headers' | 'body' | 'mark'>

/** An alternative to the simulator, started as a user would. */
export interface Peer {
  readonly name: string
  readonly start: () => Promise<Server>
  /** What is sent to it in place of our turn, where it answers another API. `extra`: further members of the body. */
  readonly turn?: (message: string, extra: object) => Turn
}

export const mark = 'bench-000000000000'
const json = ['Content-Type', 'application/json'] as const

/** Prism has no health route, so that a mocked turn shows when it is ready. */
const prism: Peer = {
  name: 'prism mock',
  start: () => {
    const program = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
    return startServer(
      [program, 'mock', join(root, 'spec/openapi.yaml'), '-v', 'silent'],
      '/api/v1/chat/agent',
      {
        method: 'POST',
        headers: {
          authorization: 'Bearer sk-bench',
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: '{"message":"hello","idempotency_key":"bench"}',
      },
    )
  },
}

const aimockPackage = '@copilotkit/aimock@1.43.0'
/** Its pieces of a stream all have this length, that of our tokens. */
const chunkSize = 8
const pieces = { content: 'token 1 '.repeat(20) }
const aimockFixtures = [
  { match: { userMessage: 'Where is my order?' }, response: { content: 'You said: Where is my order?' } },
  { match: { userMessage: 'in one go' }, response: pieces, chunkSize },
  { match: { userMessage: 'one by one' }, response: pieces, chunkSize, latency: 1 },
]

/** A mock of the OpenAI API, with replies as long as ours; installed on first use. Throws if it cannot be. */
function aimock(): Peer {
  const program = join(cache, 'aimock/node_modules/@copilotkit/aimock/dist/cli.js')
  if (!existsSync(program)) {
    console.error(`installing ${aimockPackage}`)
    const words = [
      'install',
      '--prefix',
      join(cache, 'aimock'),
      '--no-save',
      '--ignore-scripts',
      aimockPackage,
    ]
    const { status } = spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`npm install ${aimockPackage} ended with ${status}`)
  }
  const fixtures = join(folder, 'aimock.json')
  writeFileSync(fixtures, JSON.stringify({ fixtures: aimockFixtures }))
  return {
    name: 'aimock',
    start: () => startServer([program, '--fixtures', fixtures, '--log-level', 'silent'], '/health'),
    turn: (message, extra) => ({
      path: '/v1/chat/completions',
      headers: [json],
      body: JSON.stringify({
        model: 'gpt-4',
        messages: [{ role: 'user', content: message }],
        user: mark,
        ...extra,
      }),
      mark,
    }),
  }
}

function peersHere(): readonly Peer[] {
  try {
    return [prism, aimock()]
  } catch (reason) {
    console.error(`skipping aimock: ${String(reason)}`)
    return [prism]
  }
}
export const peers = peersHere()

export const turnOf = ({ key, agent }: RunningSimulator, message: string, extra: object): Turn => ({
  path: `/api/v1/chat/${agent}`,
  headers: [['Authorization', `Bearer ${key}`], json],
  body: JSON.stringify({ message, ...extra, idempotency_key: mark }),
  mark,
})

/** Headers that node:http adds itself. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding)$/i

/** The response of the simulator, split into its writes, for a bare server. */
export async function sampleOf(port: number, { path, headers, body }: Turn, gapMs = 0): Promise<Bare> {
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method: 'POST', headers: headers.map((pair) => [...pair]), body })
  const text = await response.text()
  if (!response.ok) throw new Error(`a turn failed with status ${response.status}: ${text}`)
  return {
    headers: [...response.headers].filter(([name]) => !ownHeaders.test(name)),
    pieces: text.startsWith('data: ') ? text.split(/(?<=\n\n)/) : [text],
    gapMs,
  }
}
