/** Requests as bytes. */
import type { SentRequest } from '../../../suites/wire/exchange.ts'

export const headTokens = [
  '\r\n', '\n', '\r', ' ', ':', '\t', 'HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0', 'HTTP/0.9', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n', 'Content-Length: 0\r\n', 'Content-Length: -1\r\n',
  'Content-Length: 1e3\r\n', 'Content-Length: 99999999999999999999\r\n', 'Expect: 100-continue\r\n', 'Expect: x\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n', 'Connection: keep-alive\r\n', 'Host: \r\n', 'Trailer: x\r\n',
  '0\r\n\r\n', 'ffffffff\r\n', '1;x=y\r\na\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', '%2e%2e%2f', '%00', '%', '//', '/./', '?', '#', ';', 'http://x/', '*',
  'Authorization: Bearer \r\n', 'Authorization: Bearer a b\r\n', 'Cookie: session=%zz; a="\r\n', 'Content-Type: \r\n',
  'Idempotency-Key: \r\n', 'Idempotency-Key: \xff\xfe\r\n', `X-Long: ${'x'.repeat(20_000)}\r\n`, 'A: b\r\n'.repeat(300),
] // prettier-ignore

type Sent = Pick<SentRequest, 'method' | 'path' | 'headers' | 'body'>

/** The connection closes after the answer. */
export function requestBytes({ method, path, headers, body }: Sent): Uint8Array {
  const own = headers.filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name))
  const all = [['Host', 'localhost'], ['Connection', 'close'], ['Content-Length', `${body.length}`], ...own]
  const head = [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** The same request with another body, and the length of that. */
export function withBody(request: Uint8Array, body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(request)
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes
    .subarray(0, end)
    .toString('latin1')
    .replace(/^Content-Length: \d+$/m, `Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
}

export function bodyOf(request: Uint8Array): Uint8Array {
  const bytes = Buffer.from(request)
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
}
