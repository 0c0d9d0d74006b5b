/** Controls a simulator in its own process. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SimulatorOptions } from '../../simulator/index.ts'

export interface Service {
  /** The reply to `at length`: number of tokens and bytes of each. */
  long?: { tokens: number; bytes: number }
  timeouts?: SimulatorOptions['timeouts']
}

/** Numbered, so that a reader can check completeness and order. */
export const tokenAt = (at: number, bytes: number): string => `${at}:`.padEnd(bytes, '.')

interface Answers {
  /** Resident set size after a garbage collection. */
  memory: { rss: number }
  /** Turns that were committed. */
  turns: { turns: number }
  notices: { notices: readonly string[] }
}

export type ServerQuery = keyof Answers

interface Hello {
  url: string
  key: string
  agent: string
}

export type ServerMessage = Answers[ServerQuery] | Hello

export interface Served extends Hello {
  ask<A extends ServerQuery>(what: A): Promise<Answers[A]>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./server.ts', import.meta.url))

function begin(service: Service, descriptors?: number): ChildProcess {
  const words = [process.execPath, '--expose-gc', program, JSON.stringify(service)]
  const limited = ['bash', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'bash', ...words]
  const [command = '', ...rest] = descriptors === undefined ? words : limited
  return spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** `descriptors`: limit of open files and sockets; default: that of this process. */
export async function serve(service: Service, descriptors?: number): Promise<Served> {
  const child = begin(service, descriptors)
  const gone = once(child, 'exit')
  const nextMessage = async (): Promise<ServerMessage> => {
    const ended = gone.then(() => {
      throw new Error('the simulator exited before it replied')
    })
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [ServerMessage]
    return message
  }
  const hello = (await nextMessage()) as Hello
  return {
    ...hello,
    ask: async <A extends ServerQuery>(what: A) => {
      const message = nextMessage()
      child.send(what)
      return (await message) as Answers[A]
    },
    stop: async () => {
      child.disconnect()
      await gone
    },
  }
}
