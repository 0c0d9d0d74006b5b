/** aimock, a mock of the OpenAI API, with replies as long as ours. Installed on first use. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, installedFile } from '../cache.ts'
import { keyMark } from './key-mark.ts'
import type { Peer } from './peer.ts'

/** Its pieces of a stream all have this length, that of our tokens. */
const pieceLength = 8
const twentyPieces = 'token 1 '.repeat(20)

const fixtures = [
  {
    match: { userMessage: 'Where is my order?' },
    response: { content: 'You said: Where is my order?' },
  },
  { match: { userMessage: 'in one go' }, response: { content: twentyPieces }, chunkSize: pieceLength },
  {
    match: { userMessage: 'one by one' },
    response: { content: twentyPieces },
    chunkSize: pieceLength,
    latency: 1,
  },
]

/** Throws if it cannot be installed. */
export function aimock(): Peer {
  const program = installedFile('@copilotkit/aimock@1.43.0', 'dist/cli.js')
  const file = join(cacheFolder('documents'), 'aimock.json')
  writeFileSync(file, JSON.stringify({ fixtures }))
  return {
    name: 'aimock',
    command: [program, '--fixtures', file, '--log-level', 'silent'],
    ready: { method: 'GET', path: '/health' },
    turn: (message, extra) => ({
      path: '/v1/chat/completions',
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({
        model: 'gpt-4',
        messages: [{ role: 'user', content: message }],
        user: keyMark,
        ...extra,
      }),
    }),
  }
}
