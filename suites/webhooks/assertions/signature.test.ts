import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SecretWithheld } from '../../scenario/withheld.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { attempt, creation, sample, secret, signed } from '../../assertions/inbound.testkit.ts'
import {
  allSigned,
  has64Characters,
  hasPrefix,
  hasSignature,
  hexCase,
  isHexadecimal,
  rawSigned,
  retriesSigned,
  secretOf,
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
const spaced = '{ "a": 1 }'
const bare = secret.slice('whsec_'.length)

test('the digest that openssl makes is the right one, in either case', () => {
  const right = `sha256=${golden.hex}`
  expect(signedWith(attempt({ body, signature: right }), secret).is).toBe('pass')
  const capital = `sha256=${golden.hex.toUpperCase()}`
  expect(signedWith(attempt({ body, signature: capital }), secret).is).toBe('pass')
})

test.for<readonly [mistake: string, digest: string, body?: string, key?: string]>([
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
  ['over the body parsed and written again', mac(secret, JSON.stringify(JSON.parse(spaced))), spaced],
  ['over the body read as Latin-1', mac(secret, Buffer.from(bytes.toString('latin1')))],
  ['keyed with the secret decoded from base64', mac(Buffer.from(secret, 'base64'))],
  [
    'keyed with the part after the prefix, decoded from hexadecimal',
    mac(Buffer.from('beef', 'hex')),
    body,
    'key_beef',
  ],
  ['keyed with the secret decoded from hexadecimal', mac(Buffer.from('beef', 'hex')), body, 'beef'],
  ['in base64 for URLs', Buffer.from(golden.hex, 'hex').toString('base64url')],
  ['HMAC-SHA512', createHmac('sha512', secret).update(body).digest('hex')],
  ['HMAC-MD5', createHmac('md5', secret).update(body).digest('hex')],
  ['HMAC-SHA1', createHmac('sha1', secret).update(body).digest('hex')],
  ['no mistake we know of', '0'.repeat(64)],
])('a wrong signature names its mistake: %s', ([mistake, digest, sent = body, key = secret]) => {
  const judged = signedWith(attempt({ body: sent, signature: `sha256=${digest}` }), key, {
    webhooks: [creation(secret), creation('whsec_other')],
  })
  const expected = 'the HMAC-SHA256 of the body, keyed with the secret as it is'
  expect(judged).toMatchObject({
    is: 'fail',
    expected,
    got: expect.stringMatching(new RegExp(`${mistake}(?: explains)?$`)),
  })
})

describe('of a signature is known only what can be', () => {
  const wrong = (made: object) =>
    signedWith(attempt({ signature: `sha256=${'0'.repeat(64)}`, ...made }), secret)
  const unknown = 'a digest that no mistake we know of explains'

  test.for([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no payload', '{}'],
    ['a text', '"payload"'],
  ] as const)('a body that is %s explains no mistake', ([, text]) => {
    expect(wrong({ body: text })).toMatchObject({ got: unknown })
  })

  test('a body that we did not keep is not judged', () => {
    const whole = attempt({ signature: 'sha256=0' })
    const cut = { ...whole, inbound: { place: '/place', targetAt: 0, targetEndedAt: 1, cut: true as const } }
    expect(signedWith(cut, secret)).toEqual({
      is: 'inconclusive',
      because: 'the body is larger than we keep',
    })
  })

  test('a prefix within a secret is none', () => {
    const own = 'a1_b_c'
    const judged = (key: string) => signedWith(attempt({ body, signature: `sha256=${mac(key)}` }), own)
    expect(judged('c')).toMatchObject({ got: unknown })
    expect(judged('a1_c')).toMatchObject({ got: unknown })
  })

  test('leading zeros of each byte may be missing', () => {
    const bodies = Array.from({ length: 99 }, (_, at) => `{"at":${at}}`)
    const sent = bodies.find((one) => /^[^0].(?:[^0].)*0[^0]/.test(mac(secret, one)))
    const squeezed = mac(secret, sent).replaceAll(/0(.)|(..)/g, '$1$2')
    expect(signedWith(attempt({ body: sent, signature: `sha256=${squeezed}` }), secret)).toMatchObject({
      got: 'the right digest without the leading zeros of its bytes',
    })
  })

  test('a body with a unit beyond ASCII is ambiguous, and the last one of ASCII is not', () => {
    expect(rawSigned([attempt({ body: '"\x7f"' })], creation())).toEqual({
      is: 'inconclusive',
      because: 'no body had text beyond ASCII, or an escape',
    })
    expect(rawSigned([attempt({ body: '"\x80"' })], creation()).is).toBe('pass')
  })
})

describe('what is said of signatures', () => {
  const right = signed(JSON.stringify(sample))
  test.for([
    [() => hasSignature(attempt({ signature: null })), 'one header x-service-signature', 'none'],
    [
      () => hasSignature(attempt({ signature: 'a', headers: [['X-Service-Signature', 'b']] })),
      'one header x-service-signature',
      'a | b',
    ],
    [() => hasPrefix(attempt({ signature: 'sha1=0' })), 'a value that begins with sha256=', 'sha1=0'],
    [
      () => has64Characters(attempt({ signature: right.slice(0, -1) })),
      '64 characters after the prefix',
      '63',
    ],
    [() => isHexadecimal(attempt({ signature: 'sha256=xyz' })), 'hexadecimal digits', 'xyz'],
    [() => isHexadecimal(attempt({ signature: 'sha256=a-' })), 'hexadecimal digits', 'a-'],
    [() => isHexadecimal(attempt({ signature: 'sha256=-a' })), 'hexadecimal digits', '-a'],
    [() => secretsApart([creation('a'), creation('a'), creation('b')]), '3 secrets', '2'],
  ] as const)('finding %#', ([judge, expected, got]) => {
    expect(judge()).toMatchObject({ is: 'fail', expected, got })
  })

  test.for([
    [() => allSigned([attempt()], creation('')), 'the creation returned no secret'],
    [() => retriesSigned([attempt()], creation()), 'no delivery was tried a second time'],
    [() => secretsApart([creation('a'), creation('')]), 'fewer than two webhooks were made with a secret'],
    [() => hexCase([attempt({ signature: 'sha256=123' })]), 'no digest had a letter'],
    [() => hexCase([attempt({ signature: 'abc' })]), 'no digest had a letter'],
  ] as const)('is inconclusive: %#', ([judge, because]) => {
    expect(judge()).toEqual({ is: 'inconclusive', because })
  })

  test('both cases of letters, and which webhook has the secret of another', () => {
    expect(hexCase([attempt({ signature: 'sha256=aB' })])).toMatchObject({
      value: 'small and capital letters',
    })
    const [one, two] = [creation('a'), creation('a')]
    expect(secretsApart([one, two])).toMatchObject({ exchange: two.id })
    expect([secretOf(one), secretOf(creation('')), secretOf(attempt())]).toEqual(['a', null, null])
    const odd = jsonAnswer({ secret_key: 7 })
    expect(secretOf(odd)).toBeNull()
  })
})

test('a digest that lost its leading zeros is distinguished from a wrong one', () => {
  const zeroed = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at })).find((one) =>
    mac(secret, one).startsWith('0'),
  )
  const made = attempt({ body: zeroed, signature: `sha256=${mac(secret, zeroed).replace(/^0+/, '')}` })
  expect(signedWith(made, secret)).toMatchObject({ got: expect.stringContaining('leading zeros') })
  expect(has64Characters(made).is).toBe('fail')
})

describe('the form of a signature', () => {
  const right = signed(JSON.stringify(sample))
  test.for([
    [right, ['pass', 'pass', 'pass', 'pass']],
    [null, ['fail', 'inconclusive', 'inconclusive', 'inconclusive']],
    [right.slice('sha256='.length), ['pass', 'fail', 'inconclusive', 'inconclusive']],
    [right.slice(0, -1), ['pass', 'pass', 'fail', 'pass']],
    [`${right.slice(0, -1)}g`, ['pass', 'pass', 'pass', 'fail']],
    ['sha256=', ['pass', 'pass', 'fail', 'fail']],
  ] as const)('%s', ([signature, expected]) => {
    const made = attempt({ signature })
    const judges = [hasSignature, hasPrefix, has64Characters, isHexadecimal]
    expect(judges.map((judge) => judge(made).is)).toEqual(expected)
  })

  test('two signatures are none', () => {
    expect(hasSignature(attempt({ headers: [['x-service-signature', right]] })).is).toBe('fail')
  })
})

describe('over a scenario', () => {
  test('without an attempt or a secret nothing is judged', () => {
    expect(allSigned([], creation()).is).toBe('inconclusive')
    expect(allSigned([attempt()], creation('')).is).toBe('inconclusive')
    expect(allSigned([attempt(), attempt({ key: 'other' })], creation()).is).toBe('fail')
  })

  test('only a body with text beyond ASCII, or an escape, shows which bytes were signed', () => {
    const plain = { ...sample, payload: {} }
    expect(rawSigned([attempt({ body: plain })], creation()).is).toBe('inconclusive')
    expect(rawSigned([attempt({ body: String.raw`{"a":"\/"}` })], creation()).is).toBe('pass')
    const rewritten = attempt({ body: String.raw`{"a":"\/"}`, signature: signed('{"a":"/"}') })
    expect(rawSigned([rewritten], creation())).toMatchObject({
      is: 'fail',
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
      is: 'fail',
      got: expect.stringContaining('the body of the first attempt'),
    })
  })

  test('secrets are apart where there are two, and they differ', () => {
    expect(secretsApart([creation('a'), creation('b')]).is).toBe('pass')
    expect(secretsApart([creation('a'), creation('a')]).is).toBe('fail')
    expect(secretsApart([creation('a')]).is).toBe('inconclusive')
  })

  test('the case of the digits is recorded', () => {
    expect(hexCase([attempt()])).toMatchObject({ is: 'observed', value: 'small letters' })
    const upper = attempt({ signature: `sha256=${'AB'.repeat(32)}` })
    expect(hexCase([upper])).toMatchObject({ value: 'capital letters' })
  })
})

describe('with a token where the secret was', () => {
  const token = '[[webhook-secret:1:0a1b2c3d]]'
  const read = (made: Parameters<typeof attempt>[0]) => ({ ...attempt(made), redacted: true as const })

  test('nothing is computed, over a journal: that would be another verdict', () => {
    expect(() => allSigned([read({ body })], creation(token))).toThrow(SecretWithheld)
    expect(() => signedWith(read({ body: `{"key":"${token}"}` }), secret)).toThrow(SecretWithheld)
    expect(signedWith(read({ body }), secret).is).toBe('pass')
  })

  test('what needs no secret is judged all the same', () => {
    expect(hasPrefix(read({ body, signature: 'md5=1' })).is).toBe('fail')
    expect(signedWith(read({ body, signature: 'md5=1' }), token).is).toBe('inconclusive')
    expect(secretsApart([creation(token), creation('[[webhook-secret:2:0a1b2c3d]]')]).is).toBe('pass')
    expect(secretsApart([creation(token), creation(token)]).is).toBe('fail')
  })

  test('a target that makes up a token of its own is judged as it is run', () => {
    expect(allSigned([attempt({ body, signature: signed(body, token) })], creation(token)).is).toBe('pass')
    expect(allSigned([attempt({ body })], creation(token)).is).toBe('fail')
  })
})
