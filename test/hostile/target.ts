/** A target that answers every request with something meant to harm whoever reads it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Answers one request. `size`: the scale of the attack, in bytes; each mode has a default for the lab. */
type Attack = (response: ServerResponse, size: number, request: IncomingMessage) => void

const MiB = 1 << 20

const json = { 'content-type': 'application/json' }
const stream = { 'content-type': 'text/event-stream' }

const send = (response: ServerResponse, body: string | Uint8Array, headers: object = json): void => {
  response.writeHead(200, { ...headers }).end(body)
}
const reply = (response: ServerResponse, text: string): void =>
  send(response, JSON.stringify({ response: text, conversation_id: 'c-1', credits_used: 1 }))

/** Writes the same bytes for as long as somebody reads them. */
function pour(response: ServerResponse, bytes: string | Uint8Array): void {
  const more = (): void => {
    while (!response.destroyed && response.write(bytes));
  }
  response.on('drain', more)
  more()
}

function drip(response: ServerResponse, bytes: string, everyMs: number): void {
  const timer = setInterval(() => response.write(bytes), everyMs)
  response.on('close', () => clearInterval(timer))
}

/** As the service does, or what is sent before a run would show that there is none. */
function refuse(response: ServerResponse): void {
  response.writeHead(400, json).end('{"error":"INVALID_BODY"}')
}

const keyIn = ({ headers }: IncomingMessage): string =>
  String(headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '') || 'no key was sent'

const inBase64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
const inHex = (text: string | Uint8Array): string => Buffer.from(text).toString('hex')

let zeros: Buffer | undefined
/** Made once: that takes longer than an answer may. */
const gzippedZeros = (size: number): Buffer => (zeros ??= gzipSync(Buffer.alloc(size)))

const repeated = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length))

/** Name, size for the lab, and what is sent. */
const attacks: Readonly<Record<string, readonly [size: number, attack: Attack]>> = {
  'endless-body': [MiB, (response, size) => pour(response.writeHead(200, json), Buffer.alloc(size, 'x'))],
  'huge-body': [20 * MiB, (response, size) => reply(response, 'x'.repeat(size))],
  'endless-stream': [
    1_000,
    (response, size) =>
      pour(
        response.writeHead(200, stream),
        repeated('data: {"type":"token","token":"again and again"}\n\n', size),
      ),
  ],
  'endless-comments': [
    1_000,
    (response, size) => pour(response.writeHead(200, stream), repeated(':\n', size)),
  ],
  'short-lines': [MiB - 1_000, (response, size) => send(response, repeated('a\n', size), stream)],
  'dripping-body': [1, (response) => drip(response.writeHead(200, json), ' ', 5)],
  'dripping-stream': [1, (response) => drip(response.writeHead(200, stream), ': still here\n\n', 50)],
  'silent-body': [1, (response) => void response.writeHead(200, json).write('{')],
  silence: [1, () => {}],
  'one-byte-chunks': [
    1,
    (response) => {
      response.socket?.setNoDelay(true)
      pour(response.writeHead(200, json), ' ')
    },
  ],
  backslashes: [0.95 * MiB, (response, size) => send(response, `{"response":"${repeated('\\\\', size)}"}`)],
  ampersands: [0.95 * MiB, (response, size) => reply(response, repeated('&amp;', size))],
  percents: [0.95 * MiB, (response, size) => reply(response, repeated('%25', size))],
  ellipses: [
    0.95 * MiB,
    (response, size, request) => reply(response, repeated(`${keyIn(request).slice(0, 7)}…`, size)),
  ],
  'unicode-escapes': [
    0.95 * MiB,
    (response, size) => send(response, `{"response":"${repeated('\\u005c', size)}"}`),
  ],
  'secret-members': [
    0.95 * MiB,
    (response, size) => send(response, `[${repeated('{"secret_key":"whsec_', size)}`),
  ],
  'many-secrets': [
    200_000,
    (response, size) => {
      const each = (_: unknown, i: number) => ({ secret_key: `whsec_${String(i).padStart(26, 'a0')}` })
      send(response, JSON.stringify(Array.from({ length: size / 50 }, each)))
    },
  ],
  'deep-json': [MiB - 1_000, (response, size) => send(response, '['.repeat(size / 2) + ']'.repeat(size / 2))],
  'deep-members': [MiB - 1_000, (response, size) => send(response, repeated('{"a":', size))],
  'many-values': [MiB - 1_000, (response, size) => send(response, `[${repeated('{},', size)}{}]`)],
  'packed-text': [4 * MiB, (response, size) => reply(response, inBase64(gzipSync('a'.repeat(size))))],
  'many-packed-texts': [
    16 * MiB,
    (response, size) =>
      reply(
        response,
        Array(60)
          .fill(inBase64(gzipSync('a'.repeat(size))))
          .join(' '),
      ),
  ],
  'nested-base64': [
    MiB,
    (response, size) => {
      let text = 'a'.repeat(size)
      for (let level = 0; level < 6; level++) text = inBase64(text.slice(0, size))
      reply(response, text)
    },
  ],
  'gzip-bomb': [
    512 * MiB,
    (response, size) => send(response, gzippedZeros(size), { ...json, 'content-encoding': 'gzip' }),
  ],
  'key-in-base64-twice': [1, (response, _, request) => reply(response, inBase64(inBase64(keyIn(request))))],
  'key-in-hex-twice': [1, (response, _, request) => reply(response, inHex(inHex(keyIn(request))))],
  'key-in-base64-of-gzip': [1, (response, _, request) => reply(response, inBase64(gzipSync(keyIn(request))))],
  'key-in-base64-five-times': [
    1,
    (response, _, request) =>
      reply(response, inBase64(inBase64(inBase64(inBase64(inBase64(keyIn(request))))))),
  ],
  'key-in-header': [
    1,
    (response, _, request) => send(response, '{}', { ...json, 'x-echo': inHex(inHex(keyIn(request))) }),
  ],
  'many-headers': [
    900,
    (response, size) => {
      const headers = Array.from({ length: size }, (_, i) => [`x-${i}`, 'v'.repeat(40)])
      send(response, '{}', Object.fromEntries(headers))
    },
  ],
  'escape-in-header': [
    1,
    (response) =>
      void response.socket?.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-name: \x1b[31mred\r\ncontent-length: 2\r\n\r\n{}',
      ),
  ],
}

export type HostileMode = keyof typeof attacks
export const hostileModes: readonly HostileMode[] = Object.keys(attacks)

export interface HostileTarget {
  readonly url: string
  /** Requests so far. */
  readonly requests: number
  close(): Promise<void>
}

/** Listens on loopback. `size` replaces the default of the mode. */
export async function startHostileTarget(mode: HostileMode, size?: number): Promise<HostileTarget> {
  const found = attacks[mode]
  if (!found) throw new Error(`${mode} is no mode; give one of ${hostileModes.join(', ')}`)
  const [usual, attack] = found
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    let body = ''
    request.setEncoding('latin1').on('data', (part: string) => void (body += part))
    response.on('error', () => {})
    request.on('end', () => {
      if (body === '{}' && mode !== 'escape-in-header') refuse(response)
      else attack(response, Math.floor(size ?? usual), request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
