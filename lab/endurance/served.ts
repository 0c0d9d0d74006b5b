/** A simulator in a process of its own: what it serves, what it is asked about itself, and what it tells. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SimulatorOptions } from '../../simulator/index.ts'

export interface Service {
  /** What `at length` is answered with: so many tokens of so many bytes each. */
  long?: { tokens: number; bytes: number }
  timeouts?: SimulatorOptions['timeouts']
}

/** Tokens tell which one they are, so that a reader knows whether it got each of them, in order. */
export const tokenAt = (at: number, bytes: number): string => `${at}:`.padEnd(bytes, '.')

interface Answers {
  /** Resident bytes, after what nobody needs any more was collected. */
  memory: { rss: number }
  /** Turns that were committed. */
  turns: { turns: number }
  notices: { notices: readonly string[] }
}

export type Asked = keyof Answers

interface Hello {
  url: string
  key: string
  agent: string
}

export type Told = Answers[Asked] | Hello

export interface Served extends Hello {
  ask<A extends Asked>(what: A): Promise<Answers[A]>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./server.ts', import.meta.url))

function begin(service: Service, descriptors?: number): ChildProcess {
  const words = [process.execPath, '--expose-gc', program, JSON.stringify(service)]
  const limited = ['bash', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'bash', ...words]
  const [command = '', ...rest] = descriptors === undefined ? words : limited
  return spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** `descriptors`: the most files and sockets that the process may have open; default: as many as this one. */
export async function serve(service: Service, descriptors?: number): Promise<Served> {
  const child = begin(service, descriptors)
  const gone = once(child, 'exit')
  const hear = async (): Promise<Told> => {
    const ended = gone.then(() => {
      throw new Error('the simulator ended before it told what it was asked')
    })
    const [told] = (await Promise.race([once(child, 'message'), ended])) as [Told]
    return told
  }
  const hello = (await hear()) as Hello
  return {
    ...hello,
    ask: async <A extends Asked>(what: A) => {
      const told = hear()
      child.send(what)
      return (await told) as Answers[A]
    },
    stop: async () => {
      child.disconnect()
      await gone
    },
  }
}
