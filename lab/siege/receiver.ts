/** The receiver of the honest webhook: verifies every delivery, and now and then fails one, which must come again. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../client/index.ts'
import { isObject, type Json, type JsonObject } from '../../simulator/json.ts'
import type { Arrival } from './oracle.ts'

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Known once the webhook is there. */
  secret: string
  arrived: (arrival: Arrival) => void
}

/** One of so many attempts is answered 500, but never the third of a delivery: after that one, none comes. */
const failsEvery = 40
const failsMost = 2

function payloadIn(body: string): JsonObject {
  const event: unknown = JSON.parse(body)
  const payload = isObject(event) ? event['payload'] : undefined
  return isObject(payload) ? payload : {}
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export async function openReceiver(): Promise<Receiver> {
  let attempts = 0
  /** By delivery. */
  const failed = new Map<string, number>()
  const fails = (id: string): boolean => {
    const before = failed.get(id) ?? 0
    if (++attempts % failsEvery !== 0 || before === failsMost) return false
    failed.set(id, before + 1)
    return true
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void take(Buffer.concat(chunks).toString(), request.headers))
    const take = async (body: string, headers: typeof request.headers): Promise<void> => {
      const signed = await verifyWebhook(body, headers, receiver.secret)
      const { conversationId, text } = payloadIn(body)
      const id = String(headers['x-service-delivery-id'])
      if (fails(id)) return void response.writeHead(500).end()
      receiver.arrived({ id, signed, conversation: textIn(conversationId), text: textIn(text) })
      response.writeHead(204).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: 'unknown',
    arrived: () => undefined,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
