import { expect, test } from 'vitest'
import { maxBodyBytes } from './refusal.ts'
import { NoAnswer, StreamIncomplete } from '../errors.ts'
import { turnOne } from '../service.testkit.ts'
import { ServiceClient } from '../service-client.ts'

/** An answer that never ends, in parts of a MiB, and how much of it was taken. */
function endless(type: string, first: string): { client: ServiceClient; taken: () => number } {
  let taken = 0
  const part = new Uint8Array(1 << 20).fill(0x61)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    pull(controller) {
      taken += part.length
      controller.enqueue(part)
    },
  })
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }))
  const client = new ServiceClient({ apiKey: 'sk-0', baseUrl: 'https://api.example.com', fetch })
  return { client, taken: () => taken }
}

const almost = maxBodyBytes + (4 << 20)

test('an answer that never ends is no answer, and little more of it is taken than any answer has', async () => {
  const { client, taken } = endless('application/json', '"')
  const call = client.sendMessage(turnOne)
  await expect(call).rejects.toBeInstanceOf(NoAnswer)
  await expect(call).rejects.toThrow('larger than 64 MiB')
  expect(taken()).toBeLessThan(almost)
})

test('LIB-STREAM-CUT: an event that never ends makes a stream incomplete', async () => {
  const { client, taken } = endless('text/event-stream', 'data: ')
  const call = client.streamMessage(turnOne).next()
  await expect(call).rejects.toBeInstanceOf(StreamIncomplete)
  await expect(call).rejects.toThrow('larger than 64 MiB')
  expect(taken()).toBeLessThan(almost)
})
