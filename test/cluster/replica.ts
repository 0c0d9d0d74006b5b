/** A simulator as docs/shared.md starts it, in a process that can be killed, stopped for a while, and started again. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { isObject } from '../../simulator/json.ts'
import { touchstoneBin } from '../bundled.ts'

const page = readFileSync(new URL('../../docs/shared.md', import.meta.url), 'utf8')

/** What docs/shared.md says to type on each host, for this one. */
function wordsAt(port: number): readonly string[] {
  const [, line = ''] = /^npx @touchstone-suite\/touchstone (simulate .*)$/m.exec(page) ?? []
  const here: Readonly<Record<string, string>> = {
    '0.0.0.0': '127.0.0.1',
    '4010': `${port}`,
    $SEED: 'cluster',
    'http://10.0.0.7:4010': `http://127.0.0.1:${port}`,
  }
  return line.split(' ').map((word) => here[word] ?? word)
}

export interface ReplicaOptions {
  /** As `--store` takes it; it goes by the environment, as one with a password has to. */
  readonly store: string
  readonly port: number
  readonly leaseSeconds: number
  readonly controlToken: string
}

export interface Replica {
  readonly url: string
  /** At the port that it always has; resolves once it listens. */
  start(): Promise<void>
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>
  /** Nothing of it runs until it goes on, and its connections stay open: what a machine that hangs looks like. */
  stop(): void
  goOn(): void
  /** Asks it to end, as a deployment does; resolves with its exit code. */
  end(): Promise<number | null>
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function ready(child: ChildProcess): Promise<string> {
  let words = ''
  child.stderr?.on('data', (text: Buffer) => void (words += text.toString()))
  const { stdout } = child
  if (!stdout) throw new Error('The replica has no output.')
  const gone = once(child, 'exit').then(() =>
    Promise.reject(new Error(`The replica ended at once: ${words}`)),
  )
  gone.catch(() => undefined)
  const [line] = await Promise.race([once(createInterface(stdout), 'line'), gone])
  const reported: unknown = JSON.parse(String(line))
  if (isObject(reported) && typeof reported['url'] === 'string') return reported['url']
  throw new Error(`The replica says nothing of its address: ${line}`)
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { store, port, leaseSeconds, controlToken } = options
  const words = [...wordsAt(port), '--json', '--lease', `${leaseSeconds}`]
  const env = { ...process.env, DATABASE_URL: store, CONTROL_TOKEN: controlToken }
  let child: ChildProcess
  let url = ''
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [touchstoneBin, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    url = await ready(child)
  }
  const by = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!hasEnded(child)) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return child.exitCode
  }
  await start()
  return {
    get url() {
      return url
    },
    start,
    kill: async () => void (await by('SIGKILL')),
    stop: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    end: () => by('SIGTERM'),
  }
}
