/** Answers bytes that are no request, or that came too slowly. */
import type { Socket } from 'node:net'
import { afterRealTime } from '../../tenant/clock/machine-time.ts'

/** What is wrong with bytes that node:http cannot read as a request. */
const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/** How long a client may take to read the refusal, in ms: an earlier end could take it away unread. */
const lingerMs = 1_000

/** `encodeBody`: the body with this reason. */
export function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Socket,
  encodeBody: (reason: string) => string,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const body = encodeBody(reasons[error.code ?? ''] ?? 'The bytes received are not an HTTP request.')
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Whoever goes on sending would keep the connection open: Node reports it once.
  socket.once(
    'close',
    afterRealTime(lingerMs, () => socket.destroy()),
  )
}
