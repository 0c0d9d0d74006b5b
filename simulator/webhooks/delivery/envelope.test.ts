import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { webhookEvents, type WebhookEvent } from '../../../spec/index.ts'
import type { Json } from '../../json.ts'
import { encode, serialize, signature } from './envelope.ts'
import { frozenTenant, hook, receive, type Taken } from './outbox.testkit.ts'

const events = Object.keys(webhookEvents) as WebhookEvent[]
const secret = 'whsec_sécrèt_🔑'
const digest = (body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

async function delivered(interpretations = {}): Promise<readonly Taken[]> {
  const [receiver, tenant] = [await receive(), frozenTenant({ interpretations })]
  hook(tenant, `${receiver.url}/`, { secret, events })
  for (const event of events) tenant.emit(event)
  await tenant.clock.advance(0)
  return receiver.taken
}

it('every event is a POST of one JSON object, signed over the bytes that were sent', async () => {
  const taken = await delivered()
  expect(taken.map(({ method, headers }) => [method, headers['x-service-event']])).toEqual(
    events.map((event) => ['POST', event]),
  )
  for (const { headers, body } of taken) {
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-signature': digest(body),
      'x-service-delivery-id': expect.stringMatching(/^whd_\w{32}$/),
    })
    const { eventType, timestamp, payload, ...rest } = JSON.parse(body.toString('utf8'))
    expect(eventType).toBe(headers['x-service-event'])
    expect(timestamp).toBe('2030-01-01T00:00:00.000Z')
    expect(payload).toMatchObject({ conversationId: expect.any(String) })
    expect(Object.keys(rest)).toEqual(['chatbotId'])
  }
})

it('no event survives being parsed and written again with its signature', async () => {
  for (const { headers, body } of await delivered()) {
    const text = body.toString('utf8')
    expect(text).toMatch(/[\u2028]/)
    expect(text).toMatch(/\p{Extended_Pictographic}/u)
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(text)))
    expect(digest(rewritten)).not.toBe(headers['x-service-signature'])
  }
})

it('the digits are capital letters under the other interpretation', async () => {
  const [taken] = await delivered({ 'GAP-HEX-CASE': 'upper' })
  const expected = digest(taken?.body ?? Buffer.alloc(0))
    .slice(7)
    .toUpperCase()
  expect(taken?.headers['x-service-signature']).toBe(`sha256=${expected}`)
})

const openssl = spawnSync('openssl', ['version']).status === 0
it.runIf(openssl)('the signature is the one that openssl makes', () => {
  const body = encode({ text: 'é 🙂 \u2028 / 1.5', number: 1.5 })
  const made = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-hex'], { input: body })
  expect(signature(body, secret)).toBe(`sha256=${made.stdout.toString().trim().split(' ').at(-1)}`)
})

it('the signature is the one of RFC 4231, test case 2', () => {
  expect(signature(Buffer.from('what do ya want for nothing?'), 'Jefe')).toBe(
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

describe('the form of a value', () => {
  const cases: readonly [value: Json, text: string][] = [
    ['a/b', String.raw`"a\/b"`],
    ['é', String.raw`"\u00e9"`],
    ['€ 🙂 \u2028', '"€ 🙂 \u2028"'],
    ['"\n', String.raw`"\"\n"`],
    [1.5, '1.50'],
    [-0.25, '-0.250'],
    [1e-7, '1e-7'],
    [3, '3'],
    [null, 'null'],
    [[true, { 'ü/': [] }], String.raw`[true,{"\u00fc\/":[]}]`],
  ]
  it.each(cases)('of %j', (value, text) => {
    expect(serialize(value)).toBe(text)
    expect(JSON.parse(text)).toEqual(value)
  })
})

describe('attempts', () => {
  const bodies = async (interpretation: 'same' | 'fresh'): Promise<readonly Taken[]> => {
    const interpretations = { 'GAP-ATTEMPT-BODY': interpretation } as const
    const [receiver, tenant] = [await receive(), frozenTenant({ interpretations })]
    receiver.script('/', 500)
    hook(tenant, `${receiver.url}/`, { secret })
    tenant.emit('leads.submit')
    await tenant.clock.advance(60_000)
    return receiver.taken
  }
  it('send the same bytes', async () => {
    expect(new Set((await bodies('same')).map(({ body }) => body.toString())).size).toBe(1)
  })
  it('have their own time under the other interpretation, each with its signature', async () => {
    const taken = await bodies('fresh')
    expect(taken.map(({ body }) => JSON.parse(body.toString()).timestamp.slice(17))).toEqual([
      '00.000Z',
      '02.000Z',
      '06.000Z',
    ])
    expect(taken.map(({ headers }) => headers['x-service-signature'])).toEqual(
      taken.map(({ body }) => digest(body)),
    )
  })
})

it('custom headers go along as they were given; none replaces one of the service or frames the message', async () => {
  const [receiver, tenant] = [await receive(), frozenTenant()]
  hook(tenant, `${receiver.url}/`, {
    customHeaders: [
      ['X-Shop', 'Köln'],
      ['X-SERVICE-Signature', 'sha256=no'],
      ['x-service-event', 'no'],
      ['USER-agent', 'no'],
      ['content-Type', 'text/plain'],
      ['Content-Length', '0'],
      ['Host', 'internal.example'],
      ['Transfer-Encoding', 'chunked'],
    ],
  })
  tenant.emit('leads.submit')
  await tenant.clock.advance(0)
  const [taken] = receiver.taken
  const names = taken?.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  expect(new Set(names).size).toBe(names?.length)
  expect(taken?.raw).toContain('X-Shop')
  expect(taken?.headers).toMatchObject({
    'x-shop': 'Köln',
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': 'leads.submit',
    host: new URL(receiver.url).host,
  })
})

it('the same seed gives the same bytes, ids and signatures', async () => {
  const [one, other] = [await delivered(), await delivered()]
  const sent = ({ raw, body }: Taken): readonly string[] => [
    ...raw.filter((text) => !text.startsWith('localhost:')),
    body.toString('hex'),
  ]
  expect(one.map(sent)).toEqual(other.map(sent))
})
