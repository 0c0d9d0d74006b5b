/** One chat turn as a bench sends it, and the answer that a bare server is to repeat. */
import { Agent, request } from 'undici'
import { keyMark } from './key-mark.ts'
import type { Load } from './load.ts'
import type { Bare } from './bare-child.ts'
import type { Running } from './simulator-child.ts'

export type Turn = Pick<Load, 'path' | 'headers' | 'body'>

/** `extra`: members of the body beside message and key. */
export function turnOf({ key, agent }: Running, message: string, extra: object = {}): Turn {
  return {
    path: `/api/v1/chat/${agent}`,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({ message, ...extra, idempotency_key: keyMark }),
  }
}

/** Headers that a server adds on its own. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding)$/i

/** What the simulator answers to it, cut into the pieces in which it is written. */
export async function sampleOf(origin: string, { path, headers, body }: Turn): Promise<Bare> {
  const dispatcher = new Agent({ connections: 1, allowH2: false })
  try {
    const answer = await request(origin + path, {
      method: 'POST',
      headers: headers.flat(),
      body,
      dispatcher,
      responseHeaders: 'raw',
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`a turn was answered ${answer.statusCode}: ${text}`)
    const pieces = text.startsWith('data: ') ? text.split(/(?<=\n\n)/) : [text]
    return { headers: pairs(answer.headers as unknown as readonly string[]), pieces, gapMs: 0 }
  } finally {
    await dispatcher.close()
  }
}

function pairs(raw: readonly string[]): Bare['headers'] {
  const names = raw.filter((_, at) => at % 2 === 0)
  return names
    .map((name, at) => [name, raw[2 * at + 1] ?? ''] as const)
    .filter(([name]) => !ownHeaders.test(name))
}
