import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { attempt as made, creation, secret, type MadeAttempt } from '../../assertions/inbound.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { createSignatureFacts } from '../../wire/signature-facts.ts'
import { has64Characters, signedWith } from './signature.ts'

/** An attempt as it is recorded after webhooks with these secrets were made. */
function attempt(given: MadeAttempt = {}, secrets = [secret, 'whsec_other']): Exchange {
  const factsOf = createSignatureFacts()
  for (const one of secrets) factsOf(inScenario(creation(one)), creation(one))
  const exchange = made(given)
  return { ...exchange, ...factsOf(exchange, exchange) }
}
const inScenario = (exchange: Exchange): Exchange => ({ ...exchange, scenario: made().scenario })

/** `printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" -hex` */
const golden = {
  body: '{"eventType":"leads.submit","chatbotId":"agent_1","timestamp":"2030-01-02T03:04:05.678Z","payload":{"customerName":"Zoë"}}',
  hex: '17013aafa8da023562c91c20c13b97f9e9a25b4c6ed334c2943aea8fd823fcde',
}
const body = golden.body
const bytes = Buffer.from(body)
const mac = (key: string | Buffer, over: string | Buffer = bytes): string =>
  createHmac('sha256', key).update(over).digest('hex')
const spaced = '{ "a": 1 }'
const bare = secret.slice('whsec_'.length)

test('the digest that openssl makes is the right one, in either case', () => {
  const right = `sha256=${golden.hex}`
  expect(signedWith(attempt({ body, signature: right }), secret).is).toBe('pass')
  const capital = `sha256=${golden.hex.toUpperCase()}`
  expect(signedWith(attempt({ body, signature: capital }), secret).is).toBe('pass')
})

test('a recording that is judged again keeps what the secret showed', () => {
  const once = attempt({ body, signature: `sha256=${golden.hex}` })
  const factsOf = createSignatureFacts()
  factsOf(inScenario(creation('[[hook:7d5dc838]]')), creation('[[hook:7d5dc838]]'))
  expect({ ...once, ...factsOf(once, once) }).toEqual(once)
})

test.for<readonly [mistake: string, digest: string, body?: string, key?: string]>([
  ['keyed with the part of the secret after its prefix', mac(bare)],
  ['keyed with the part after the prefix, decoded from base64', mac(Buffer.from(bare, 'base64'))],
  ['keyed with the secret of another webhook', mac('whsec_other')],
  ['over the body written again with indents', mac(secret, JSON.stringify(JSON.parse(body), null, 2))],
  ['in base64', Buffer.from(golden.hex, 'hex').toString('base64')],
  ['over the body parsed and written again', mac(secret, JSON.stringify(JSON.parse(spaced))), spaced],
  ['keyed with the secret decoded from base64', mac(Buffer.from(secret, 'base64'))],
  ['HMAC-SHA512', createHmac('sha512', secret).update(body).digest('hex')],
  ['no known mistake', '0'.repeat(64)],
])('a wrong signature names its mistake: %s', ([mistake, digest, sent = body, key = secret]) => {
  const judged = signedWith(attempt({ body: sent, signature: `sha256=${digest}` }), key)
  const expected = 'the HMAC-SHA256 of the body, keyed with the secret as it is'
  expect(judged).toMatchObject({
    is: 'fail',
    expected,
    got: expect.stringMatching(new RegExp(`${mistake}(?: explains|: probably another secret)?$`)),
  })
})

describe('of a signature is known only what can be', () => {
  test('a body that we did not keep is not judged', () => {
    const whole = attempt({ signature: 'sha256=0' })
    const cut = { ...whole, inbound: { place: '/place', targetAt: 0, targetEndedAt: 1, cut: true as const } }
    expect(signedWith(cut, secret)).toEqual({
      is: 'inconclusive',
      because: 'the body is larger than we keep',
    })
  })

  test('leading zeros of the whole may be missing', () => {
    const bodies = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at }))
    const zeroed = bodies.find((one) => mac(secret, one).startsWith('0'))
    const one = attempt({ body: zeroed, signature: `sha256=${mac(secret, zeroed).replace(/^0+/, '')}` })
    expect(signedWith(one, secret)).toMatchObject({ got: expect.stringContaining('leading zeros') })
    expect(has64Characters(one).is).toBe('fail')
  })
})

test('of many webhooks, a delivery of none of them is not compared, and another secret than its own explains it', () => {
  const many = Array.from({ length: 30 }, (_, at) => `whsec_number_${at}`)
  const factsOf = (digest: string, secrets: readonly string[]) =>
    attempt({ body, signature: `sha256=${digest}` }, [...secrets]).signatures
  const right = { secret: 'whsec_number_25', is: 'right' }
  expect(factsOf(mac('whsec_number_25'), many)).toEqual([right])
  expect(factsOf('0'.repeat(64), many)).toBeUndefined()
  expect(factsOf(mac('whsec_number_25'), many.slice(20))).toContainEqual(right)
})
