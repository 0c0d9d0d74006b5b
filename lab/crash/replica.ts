/** A replica that can be killed and started again at the same address. */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isObject } from '../../simulator/json.ts'

const ownProgram = fileURLToPath(new URL('child.ts', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/touchstone', import.meta.url))

export interface Replica {
  readonly url: string
  /** Of the process that runs, or ran last. */
  readonly pid: number
  /** What its processes printed on stderr so far. */
  readonly printed: string
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>
  /** Asks it to end, and waits for that. */
  end(): Promise<void>
  /** After its end; at the port that it had. `judged`: with the limits of the contract, for suites. */
  start(load?: 'loaded' | 'judged'): Promise<void>
}

interface Ready {
  readonly url: string
  readonly port: number
}

function readyOf(child: ChildProcess, printed: () => string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) =>
      reject(new Error(`The replica ended at its start, ${code ?? signal}: ${printed()}`)),
    )
    child.once('message', (message: unknown) => {
      const { url, port } = isObject(message) ? message : {}
      if (typeof url === 'string' && typeof port === 'number') resolve({ url, port })
    })
  })
}

/** `program`: the module that the process runs; `nodeOptions`: instead of those of this process. */
export async function startReplica(
  storeUrl: string,
  leaseMs = 1_000,
  program = ownProgram,
  nodeOptions = process.env['NODE_OPTIONS'] ?? '',
): Promise<Replica> {
  let ready: Ready = { url: '', port: 0 }
  let child: ChildProcess | undefined
  let printed = ''
  const start: Replica['start'] = async (load = 'loaded') => {
    child = fork(program, [storeUrl, `${ready.port}`, `${leaseMs}`, load], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: nodeOptions },
    })
    child.stderr?.on('data', (text: Buffer) => void (printed += text.toString()))
    ready = await readyOf(child, () => printed)
  }
  const by = (signal: NodeJS.Signals) => (): Promise<void> =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill(signal)
    })
  await start()
  return {
    get url() {
      return ready.url
    },
    get pid() {
      return child?.pid ?? 0
    },
    get printed() {
      return printed
    },
    kill: by('SIGKILL'),
    end: by('SIGTERM'),
    start,
  }
}
