import { afterEach, describe, expect, test } from 'vitest'
import { identifiersOf } from '../../spec/identifiers.ts'
import { InvalidCall } from '../errors.ts'
import { openService, type ServiceDouble } from '../service.testkit.ts'
import { verifyWebhook, type RequestHeaders } from '../webhook-signature.ts'

let service: ServiceDouble
afterEach(() => service.close())

const turn = { agentId: 'a', message: 'Hello', idempotencyKey: 'k' }
const reply = { response: 'Hi', conversation_id: 'c', credits_used: 1, credits_remaining: 2 }
const done = `data: ${JSON.stringify({ type: 'done', ...reply })}\n\n`

const words = ['service', 'acme', 'acme-corp', 'a2z'] as const

describe.for(words)('of the vendor %s', (vendor) => {
  const { replayHeader, signatureHeader } = identifiersOf(vendor)
  const headers = { [replayHeader]: 'true' }

  test('a replay is known by the header of that vendor, of a reply and of a stream', async () => {
    service = await openService({ body: reply, headers }, { parts: [done], headers })
    const client = service.client({ vendor })
    expect(await client.sendMessage(turn)).toMatchObject({ replayed: true })
    for await (const event of client.streamMessage(turn)) expect(event).toMatchObject({ replayed: true })
  })

  test('no replay is seen in the header of another vendor', async () => {
    service = await openService({ body: reply, headers })
    const client = service.client({ vendor: 'other' })
    expect(await client.sendMessage(turn)).toMatchObject({ replayed: false })
  })

  const secret = "It's a Secret to Everybody"
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  const genuine: Readonly<Record<string, RequestHeaders>> = {
    fetch: new Headers({ [signatureHeader]: signature }),
    'Node.js': { [signatureHeader]: signature },
    'a framework with capitals': { [signatureHeader.toUpperCase()]: [signature] },
  }
  test.for(Object.entries(genuine))('a delivery is verified by the headers of %s', async ([, given]) => {
    service = await openService()
    expect(await verifyWebhook('Hello, World!', given, secret, { vendor })).toBe(true)
    expect(await verifyWebhook('Hello, world!', given, secret, { vendor })).toBe(false)
    expect(await verifyWebhook('Hello, World!', given, secret, { vendor: 'other' })).toBe(false)
    const identifiers = { signatureHeader }
    expect(await verifyWebhook('Hello, World!', given, secret, { vendor: 'other', identifiers })).toBe(true)
  })
})

test.each([
  [{ vendor: '4u' }, /4U_BASE_URL.*override `baseUrlVariable`/],
  [{ vendor: 'acme corp' }, /one word of letters and digits/],
  [{ identifiers: { replayHeader: 'X Replay' } }, /replayHeader is "X Replay"/],
  [{ identifiers: { replay: 'X-Replay' } as never }, /"replay" is unknown/],
])('%j is refused with what to write', async (options, words) => {
  service = await openService()
  expect(() => service.client(options)).toThrow(InvalidCall)
  expect(() => service.client(options)).toThrow(words)
  await expect(verifyWebhook('', null, 'secret', options)).rejects.toThrow(words)
})
