/** The chat turn that benchmarks send, and the response that a bare server repeats. */
import { Agent, request } from 'undici'
import { keyMark } from './key-mark.ts'
import type { Load } from './load.ts'
import type { Bare } from './bare-child.ts'
import type { RunningSimulator } from './simulator-child.ts'

export type Turn = Pick<Load, 'path' | 'headers' | 'body'>

/** `extra`: members of the body beside message and key. */
export function turnOf({ key, agent }: RunningSimulator, message: string, extra: object = {}): Turn {
  return {
    path: `/api/v1/chat/${agent}`,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({ message, ...extra, idempotency_key: keyMark }),
  }
}

/** Headers that node:http adds itself. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding)$/i

/** The response of the simulator, split into its writes. */
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
    if (answer.statusCode !== 200) throw new Error(`a turn failed with status ${answer.statusCode}: ${text}`)
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
