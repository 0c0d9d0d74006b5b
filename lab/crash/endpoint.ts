/** The endpoint of the webhook: notes every delivery that arrives, and takes it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject } from '../../simulator/json.ts'

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  /** Ids of the deliveries of each conversation, and how often each arrived. */
  readonly arrived: ReadonlyMap<string, ReadonlyMap<string, number>>
}

function conversationIn(body: string): string {
  const event: unknown = JSON.parse(body)
  const payload = isObject(event) ? event['payload'] : undefined
  const conversation = isObject(payload) ? payload['conversationId'] : undefined
  return typeof conversation === 'string' ? conversation : `none in ${body}`
}

export async function openEndpoint(idHeader: string): Promise<Endpoint> {
  const arrived = new Map<string, Map<string, number>>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = String(request.headers[idHeader])
      const conversation = conversationIn(Buffer.concat(chunks).toString())
      const known = arrived.get(conversation) ?? new Map<string, number>()
      known.set(id, (known.get(id) ?? 0) + 1)
      arrived.set(conversation, known)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
