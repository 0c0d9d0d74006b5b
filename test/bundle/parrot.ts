/**
 * A service that gives back the API key it was sent, wherever there is room and in every encoding: it is in front of
 * another one and changes its answers.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface Parrot {
  url: string
  close(): Promise<void>
}

/**
 * Listens on a free port of this machine. `behind`: base address of the service that really answers. `aside`: what is
 * made of the key in one more header.
 */
export async function createParrot(
  behind: string,
  aside: (key: string) => string = encodeURIComponent,
): Promise<Parrot> {
  const server: Server = createServer((request, response) => {
    parroted(request, response, { behind, aside }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Ways {
  behind: string
  aside: (key: string) => string
}

async function parroted(
  request: IncomingMessage,
  response: ServerResponse,
  { behind, aside }: Ways,
): Promise<void> {
  const { method = 'GET', url = '/', headers, rawHeaders } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const sent = Buffer.concat(chunks)
  const answer = await fetch(behind + url, {
    method,
    headers: rawHeaders
      .flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as [string, string]] : []))
      .filter(([name]) => !hopByHop.test(name)),
    ...(sent.length === 0 ? {} : { body: sent }),
    redirect: 'manual',
  })
  const [, key = ''] = /^Bearer (.{8,})$/.exec(headers.authorization ?? '') ?? []
  for (const [name, value] of answer.headers) if (!hopByHop.test(name)) response.appendHeader(name, value)
  if (key !== '') {
    response.setHeader('x-you-said', `Bearer ${key}`)
    response.setHeader('x-aside', aside(key))
    response.setHeader('link', `<https://help.example/?key=${encodeURIComponent(key)}>; rel="help"`)
  }
  response.writeHead(answer.status)
  const body = Buffer.from(await answer.arrayBuffer()).toString()
  const said = key === '' ? body : withKey(body, key)
  // In pieces that no key fits into.
  for (const piece of said.match(/[^]{1,11}/gu) ?? []) response.write(piece)
  response.end()
}

const hopByHop = /^(?:host|connection|content-length|transfer-encoding|content-encoding|keep-alive|expect)$/i

/** Each encoding, by name. */
function spelled(key: string): Readonly<Record<string, string>> {
  return {
    plain: key,
    json: JSON.stringify({ message: `no such key: ${key}` }),
    url: `/login?key=${encodeURIComponent(encodeURIComponent(`${key}&`))}`,
    html: `<b title="${key.replaceAll('-', '&#45;')}">${key}</b>`,
    base64: Buffer.from(`me:${key}`).toString('base64'),
    base64url: Buffer.from(`{"key":"${key}"}`).toString('base64url'),
    hex: Buffer.from(key).toString('hex').toUpperCase(),
  }
}

export function withKey(body: string, key: string): string {
  // Token by token, before the first of the agent's own.
  if (/^data: /m.test(body))
    return body.replace(/^(data: .*"token":")([^"]*)(".*)$/m, (line, head: string, _text, tail: string) => {
      const pieces = `Your key is ${key}. `.match(/.{1,5}/g) ?? []
      return [...pieces.map((piece) => `${head}${piece}${tail}\n\n`), line].join('')
    })
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return body
    const escaped = Array.from(key, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    return JSON.stringify({ ...value, you_said: spelled(key), escaped: '?' }).replace('"?"', `"${escaped}"`)
  } catch {
    return body
  }
}
