/** Where webhooks of the cluster deliver to: responds as the test configures, and keeps what arrived. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Arrival {
  readonly deliveryId: string
  readonly signature: string
  readonly body: Buffer
}

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  /** Every attempt that came, the oldest first. */
  readonly arrivals: readonly Arrival[]
  /** What it answers; `never`: it takes the request and is silent. */
  answers: number | 'never'
  /** Resolves once so many attempts came in all; rejects where they take longer than anything here may. */
  came(count: number): Promise<void>
}

/** By other means than those of the simulator and of the suites: what `openssl dgst -sha256 -hmac` gives. */
export function isSignedBy(secret: string, { body, signature }: Arrival): boolean {
  return signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

const storeTimeoutMs = 60_000

export async function openEndpoint(answers: Endpoint['answers'] = 204): Promise<Endpoint> {
  const arrivals: Arrival[] = []
  let waits: { count: number; done: () => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const of = (name: string): string => String(request.headers[name])
      arrivals.push({
        deliveryId: of('x-service-delivery-id'),
        signature: of('x-service-signature'),
        body: Buffer.concat(chunks),
      })
      if (endpoint.answers !== 'never') response.writeHead(endpoint.answers).end()
      for (const { count, done } of waits) if (arrivals.length >= count) done()
      waits = waits.filter(({ count }) => arrivals.length < count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint: Endpoint = {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    arrivals,
    answers,
    came: (count) =>
      new Promise((done, reject) => {
        if (arrivals.length >= count) return done()
        waits.push({ count, done })
        const late = (): void =>
          reject(new Error(`${arrivals.length} attempts of ${count} came within ${storeTimeoutMs} ms.`))
        AbortSignal.timeout(storeTimeoutMs).addEventListener('abort', late, { once: true })
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return endpoint
}
