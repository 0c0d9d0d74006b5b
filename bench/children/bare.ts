/** A server of node:http alone: it parses the body and sends the prepared response of argv[2]. Sends its port. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Bare {
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** One per write; a single one is sent with a Content-Length. */
  readonly pieces: readonly string[]
  /** Before each piece but the last, in ms. */
  readonly gapMs: number
}

const { headers, pieces, gapMs } = JSON.parse(process.argv[2] ?? '') as Bare
const flat = headers.flat()

function writeFrom(response: ServerResponse, at: number): void {
  for (let next = at; next < pieces.length; next += 1) {
    response.write(pieces[next] ?? '')
    if (gapMs > 0 && next < pieces.length - 1) return void setTimeout(writeFrom, gapMs, response, next + 1)
  }
  response.end()
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { message } = JSON.parse(Buffer.concat(chunks).toString()) as { message?: unknown }
    response.writeHead(typeof message === 'string' ? 200 : 400, flat)
    if (pieces.length === 1) response.end(pieces[0])
    else writeFrom(response, 0)
  })
})
process.on('disconnect', () => process.exit())
/** Any question is for the resident set size in bytes. */
process.on('message', () => process.send?.(process.memoryUsage.rss()))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
