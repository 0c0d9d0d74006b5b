/** Receivers for tests, and senders of bytes as they stand. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { realClock } from '../wire/clock.ts'
import type { Inbox, InboxOptions } from './place.ts'
import { createInbox } from './server.ts'

export const clock = realClock()
const closing: (() => unknown)[] = []

export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close()
}

/** Closed by `closeAll`. */
export async function inbox(options: Partial<InboxOptions> = {}): Promise<Inbox> {
  const made = await createInbox({ clock, ...options })
  closing.push(() => made.close())
  return made
}

/** A connection on which bytes are written as they stand. */
export interface Line {
  readonly socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves once this was received. */
  hears(text: string): Promise<void>
  /** How the connection ended. */
  readonly ended: Promise<'end' | 'reset'>
}

export function dial({ port }: Inbox): Line {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  closing.push(() => socket.destroy())
  let all = ''
  socket.on('data', (data) => (all += data.toString('latin1')))
  const ended = new Promise<'end' | 'reset'>((resolve) => {
    socket.on('error', () => resolve('reset'))
    socket.on('close', () => resolve('end'))
  })
  const hears = async (text: string): Promise<void> => {
    while (!all.includes(text)) await once(socket, 'data')
  }
  return { socket, received: () => all, hears, ended }
}

export function post(path: string, body = '', headers: readonly string[] = []): string {
  return [`POST ${path} HTTP/1.1`, 'Host: here', `Content-Length: ${body.length}`, ...headers, '', body].join(
    '\r\n',
  )
}

export function send(to: Inbox, path: string, body = '{}'): Promise<Response> {
  return fetch(`http://127.0.0.1:${to.port}${path}`, { method: 'POST', body })
}
