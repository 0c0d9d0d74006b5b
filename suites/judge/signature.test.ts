import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { attempt, creation, sample, secret, signed } from './inbound.double.ts'
import {
  allSigned,
  has64Characters,
  hasPrefix,
  hasSignature,
  hexCase,
  isHexadecimal,
  rawSigned,
  retriesSigned,
  secretsApart,
  signedWith,
} from './signature.ts'

/** `printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" -hex` */
const golden = {
  body: '{"eventType":"leads.submit","chatbotId":"agent_1","timestamp":"2030-01-02T03:04:05.678Z","payload":{"customerName":"Zoë"}}',
  hex: '17013aafa8da023562c91c20c13b97f9e9a25b4c6ed334c2943aea8fd823fcde',
}
const body = golden.body
const bytes = Buffer.from(body)
const mac = (key: string | Buffer, over: string | Buffer = bytes): string =>
  createHmac('sha256', key).update(over).digest('hex')
const bare = secret.slice('whsec_'.length)

test('the digest that openssl makes is the right one, in either case', () => {
  const right = `sha256=${golden.hex}`
  expect(signedWith(attempt({ body, signature: right }), secret).is).toBe('pass')
  const capital = `sha256=${golden.hex.toUpperCase()}`
  expect(signedWith(attempt({ body, signature: capital }), secret).is).toBe('pass')
})

test.for([
  ['keyed with the part of the secret after its prefix', mac(bare)],
  ['keyed with the part after the prefix, decoded from base64', mac(Buffer.from(bare, 'base64'))],
  ['keyed with nothing', mac('')],
  ['keyed with the secret of another webhook', mac('whsec_other')],
  ['over the body with a line feed', mac(secret, `${body}\n`)],
  ['over the body written again with indents', mac(secret, JSON.stringify(JSON.parse(body), null, 2))],
  ['over the body written again in ASCII', mac(secret, body.replace('ë', String.raw`\u00eb`))],
  ['over the payload alone', mac(secret, '{"customerName":"Zoë"}')],
  ['over nothing', mac(secret, '')],
  ['in base64', Buffer.from(golden.hex, 'hex').toString('base64')],
  ['HMAC-SHA1', createHmac('sha1', secret).update(body).digest('hex')],
  ['no mistake we know of', '0'.repeat(64)],
] as const)('a wrong signature is told by its mistake: %s', ([mistake, digest]) => {
  const judged = signedWith(attempt({ body, signature: `sha256=${digest}` }), secret, {
    secrets: [secret, 'whsec_other'],
  })
  expect(judged).toMatchObject({ is: 'broken', got: expect.stringContaining(mistake) })
})

test('a digest that lost its leading zeros is told from a wrong one', () => {
  const zeroed = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at })).find((one) =>
    mac(secret, one).startsWith('0'),
  )
  const made = attempt({ body: zeroed, signature: `sha256=${mac(secret, zeroed).replace(/^0+/, '')}` })
  expect(signedWith(made, secret)).toMatchObject({ got: expect.stringContaining('leading zeros') })
  expect(has64Characters(made).is).toBe('broken')
})

describe('the form of a signature', () => {
  const right = signed(JSON.stringify(sample))
  test.for([
    [right, ['pass', 'pass', 'pass', 'pass']],
    [null, ['broken', 'inconclusive', 'inconclusive', 'inconclusive']],
    [right.slice('sha256='.length), ['pass', 'broken', 'inconclusive', 'inconclusive']],
    [right.slice(0, -1), ['pass', 'pass', 'broken', 'pass']],
    [`${right.slice(0, -1)}g`, ['pass', 'pass', 'pass', 'broken']],
    ['sha256=', ['pass', 'pass', 'broken', 'broken']],
  ] as const)('%s', ([signature, expected]) => {
    const made = attempt({ signature })
    const judges = [hasSignature, hasPrefix, has64Characters, isHexadecimal]
    expect(judges.map((judge) => judge(made).is)).toEqual(expected)
  })

  test('two signatures are none', () => {
    expect(hasSignature(attempt({ headers: [['x-service-signature', right]] })).is).toBe('broken')
  })
})

describe('over a story', () => {
  test('nothing that came, or a creation without a secret, tells nothing', () => {
    expect(allSigned([], creation()).is).toBe('inconclusive')
    expect(allSigned([attempt()], creation('')).is).toBe('inconclusive')
    expect(allSigned([attempt(), attempt({ key: 'other' })], creation()).is).toBe('broken')
  })

  test('only a body with text beyond ASCII, or an escape, shows which bytes were signed', () => {
    const plain = { ...sample, payload: {} }
    expect(rawSigned([attempt({ body: plain })], creation()).is).toBe('inconclusive')
    expect(rawSigned([attempt({ body: String.raw`{"a":"\/"}` })], creation()).is).toBe('pass')
    const rewritten = attempt({ body: String.raw`{"a":"\/"}`, signature: signed('{"a":"/"}') })
    expect(rawSigned([rewritten], creation())).toMatchObject({
      is: 'broken',
      got: expect.stringContaining('parsed and written again'),
    })
  })

  test('a second attempt with the signature of the first body is broken, one of its own is not', () => {
    const first = attempt({ status: 500 })
    const moved = { ...sample, timestamp: '2030-01-02T03:04:09Z' }
    expect(retriesSigned([first], creation()).is).toBe('inconclusive')
    expect(retriesSigned([first, attempt({ at: 9, body: moved })], creation()).is).toBe('pass')
    const stale = attempt({ at: 9, body: moved, signature: signed(JSON.stringify(sample)) })
    expect(retriesSigned([first, stale], creation())).toMatchObject({
      is: 'broken',
      got: expect.stringContaining('the body of the first attempt'),
    })
  })

  test('secrets are apart where there are two, and they differ', () => {
    expect(secretsApart([creation('a'), creation('b')]).is).toBe('pass')
    expect(secretsApart([creation('a'), creation('a')]).is).toBe('broken')
    expect(secretsApart([creation('a')]).is).toBe('inconclusive')
  })

  test('the case of the digits is told', () => {
    expect(hexCase([attempt()])).toMatchObject({ is: 'observed', value: 'small letters' })
    const upper = attempt({ signature: `sha256=${'AB'.repeat(32)}` })
    expect(hexCase([upper])).toMatchObject({ value: 'capital letters' })
  })
})
