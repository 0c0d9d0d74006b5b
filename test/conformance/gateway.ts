/** A gateway in front of a service, which now and then answers in its place, or not at all. */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OwnAnswer {
  status: number
  headers?: Record<string, string>
  body: string
}

export interface Gateway {
  url: string
  close(): Promise<void>
}

/**
 * `own`: what the gateway answers itself to its nth request, `hang up` for nothing, null to pass the request on, and
 * `lose` to pass it on and hang up when it was answered.
 */
export async function openGateway(
  behind: string,
  own: (nth: number, request: IncomingMessage) => OwnAnswer | 'hang up' | 'lose' | null,
): Promise<Gateway> {
  let count = 0
  const server = createServer((request, response) => {
    const answer = own(++count, request)
    if (answer === 'hang up') request.socket.destroy()
    else if (answer === 'lose') pass(request, response, behind, () => request.socket.destroy())
    else if (answer) request.resume().on('end', () => reply(answer, response))
    else pass(request, response, behind)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function reply({ status, headers, body }: OwnAnswer, response: ServerResponse): void {
  response.writeHead(status, headers ?? { 'content-type': 'application/json' }).end(body)
}

function pass(request: IncomingMessage, response: ServerResponse, behind: string, lose?: () => void): void {
  const { method, headers, url = '/' } = request
  const onward = send(new URL(url, behind), { method, headers }, (answer) => {
    if (lose) return lose()
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response).on('error', () => answer.destroy())
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
