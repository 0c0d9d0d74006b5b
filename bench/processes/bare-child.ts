/**
 * A minimal Node server: it parses the request body and sends a prepared response, which it receives as JSON in its
 * first argument. Sends its port once it listens.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { handleRequests } from './child-requests.ts'

export interface Bare {
  headers: readonly (readonly [name: string, value: string])[]
  /** One per write; a single one is sent with a Content-Length. */
  pieces: readonly string[]
  /** Delay before each piece but the last, in milliseconds. */
  gapMs: number
  /** Pause after the first piece until the parent requests `release`. */
  held?: true
}

const { headers, pieces, gapMs, held } = JSON.parse(process.argv[2] ?? '') as Bare
const flat = headers.flat()
const waiting: ServerResponse[] = []

function writeFrom(response: ServerResponse, at: number): void {
  const { length } = pieces
  for (let next = at; next < length; next += 1) {
    response.write(pieces[next] ?? '')
    if (held && next === 0) return void waiting.push(response)
    if (gapMs > 0 && next < length - 1) return void setTimeout(writeFrom, gapMs, response, next + 1)
  }
  response.end()
}

function answer(body: string, response: ServerResponse): void {
  const { message } = JSON.parse(body) as { message?: unknown }
  response.writeHead(typeof message === 'string' ? 200 : 400, flat)
  if (pieces.length === 1) response.end(pieces[0])
  else writeFrom(response, 0)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(Buffer.concat(chunks).toString(), response))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
handleRequests({
  release() {
    for (const response of waiting.splice(0)) writeFrom(response, 1)
  },
})
