/** A server in front of a service that repeats the first good answer of each route, whoever asks for what. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

interface Recorded {
  status: number
  type: string
  body: Buffer
}

/** `behind`: base address of the service that is asked as long as a route has no answer of status 200 to 299. */
export function recorder(behind: string): RequestListener {
  const recorded = new Map<string, Recorded>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    const form = /"stream": *true/.test(sent.toString()) ? 'stream' : 'json'
    const route = `${request.method} ${request.url} ${form}`
    const found = recorded.get(route) ?? (await ask(request, sent))
    if (found.status >= 200 && found.status < 300) recorded.set(route, found)
    response.writeHead(found.status, { 'content-type': found.type }).end(found.body)
  }

  async function ask(
    { method = 'GET', url = '/', headers }: IncomingMessage,
    sent: Buffer,
  ): Promise<Recorded> {
    const kept = Object.entries(headers).filter(
      ([name]) => !/^(?:host|connection|content-length)$/.test(name),
    )
    const answered = await fetch(behind + url, {
      method,
      headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      ...(sent.length === 0 ? {} : { body: new Uint8Array(sent) }),
    })
    const type = answered.headers.get('content-type') ?? 'application/json'
    return { status: answered.status, type, body: Buffer.from(await answered.arrayBuffer()) }
  }

  return (request, response) => void answer(request, response).catch(() => response.destroy())
}
