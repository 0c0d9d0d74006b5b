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

  test('leading zeros of the whole may be missing', () => {
    const bodies = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at }))
    const zeroed = bodies.find((one) => mac(secret, one).startsWith('0'))
    const made = attempt({ body: zeroed, signature: `sha256=${mac(secret, zeroed).replace(/^0+/, '')}` })
    expect(signedWith(made, secret)).toMatchObject({ got: expect.stringContaining('leading zeros') })
    expect(has64Characters(made).is).toBe('fail')
  })
})

describe('what is said of signatures', () => {
  const right = signed(JSON.stringify(sample))
  const fails = (expected: string, got: unknown) => ({ is: 'fail', expected, got })
  const unsure = (because: string) => ({ is: 'inconclusive', because })
  const oneHeader = 'one header x-service-signature'
  const plain = { ...sample, payload: {} }
  const escaped = String.raw`{"a":"\/"}`
  const first = attempt({ status: 500 })
  const moved = { ...sample, timestamp: '2030-01-02T03:04:09Z' }
  const stale = attempt({ at: 9, body: moved, signature: right })
  const [one, two] = [creation('a'), creation('a')]
  const withDigest = (digest: string) => [attempt({ signature: `sha256=${digest}` })]

  test.for<[judge: () => object, said: object]>([
    [() => hasSignature(attempt({ signature: null })), fails(oneHeader, 'none')],
    [
      () => hasSignature(attempt({ signature: 'a', headers: [['X-Service-Signature', 'b']] })),
      fails(oneHeader, 'a | b'),
    ],
    [() => hasPrefix(attempt({ signature: 'sha1=0' })), fails('a value that begins with sha256=', 'sha1=0')],
    [
      () => has64Characters(attempt({ signature: right.slice(0, -1) })),
      fails('64 characters after the prefix', '63'),
    ],
    [() => isHexadecimal(attempt({ signature: 'sha256=a-' })), fails('hexadecimal digits', 'a-')],
    [() => isHexadecimal(attempt({ signature: 'sha256=-a' })), fails('hexadecimal digits', '-a')],
    [() => secretsApart([creation('a'), creation('b')]), { is: 'pass' }],
    [() => secretsApart([one, two, creation('b')]), fails('3 secrets', '2')],
    [() => secretsApart([one, two]), { is: 'fail', exchange: two.id }],
    [() => secretsApart([creation('a')]), unsure('fewer than two webhooks were made with a secret')],
    [
      () => secretsApart([creation('a'), creation('')]),
      unsure('fewer than two webhooks were made with a secret'),
    ],
    [() => allSigned([], creation()), { is: 'inconclusive' }],
    [() => allSigned([attempt()], creation('')), unsure('the creation returned no secret')],
    [() => allSigned([attempt(), attempt({ key: 'other' })], creation()), { is: 'fail' }],
    [
      () => rawSigned([attempt({ body: plain })], creation()),
      unsure('no body had text beyond ASCII, or an escape'),
    ],
    [
      () => rawSigned([attempt({ body: '"\x7f"' })], creation()),
      unsure('no body had text beyond ASCII, or an escape'),
    ],
    [() => rawSigned([attempt({ body: '"\x80"' })], creation()), { is: 'pass' }],
    [() => rawSigned([attempt({ body: escaped })], creation()), { is: 'pass' }],
    [
      () => rawSigned([attempt({ body: escaped, signature: signed('{"a":"/"}') })], creation()),
      { is: 'fail', got: expect.stringContaining('parsed and written again') },
    ],
    [() => retriesSigned([first], creation()), unsure('no delivery was tried a second time')],
    [() => retriesSigned([first, attempt({ at: 9, body: moved })], creation()), { is: 'pass' }],
    [
      () => retriesSigned([first, stale], creation()),
      { is: 'fail', got: expect.stringContaining('the body of the first attempt') },
    ],
    [() => hexCase(withDigest('123')), unsure('no digest had a letter')],
    [() => hexCase([attempt({ signature: 'abc' })]), unsure('no digest had a letter')],
    [() => hexCase([attempt()]), { is: 'observed', value: 'small letters' }],
    [() => hexCase(withDigest('AB'.repeat(32))), { value: 'capital letters' }],
    [() => hexCase(withDigest('aB')), { value: 'small and capital letters' }],
  ])('%#', ([judge, said]) => {
    expect(judge()).toMatchObject(said)
  })

  test('a secret is read from a creation alone, and only where it is a text', () => {
    const odd = jsonAnswer({ secret_key: 7 })
    expect([one, creation(''), attempt(), odd].map(secretOf)).toEqual(['a', null, null, null])
  })

  test.for([
    [right, ['pass', 'pass', 'pass', 'pass']],
    [null, ['fail', 'inconclusive', 'inconclusive', 'inconclusive']],
    [right.slice('sha256='.length), ['pass', 'fail', 'inconclusive', 'inconclusive']],
    [right.slice(0, -1), ['pass', 'pass', 'fail', 'pass']],
    [`${right.slice(0, -1)}g`, ['pass', 'pass', 'pass', 'fail']],
    ['sha256=', ['pass', 'pass', 'fail', 'fail']],
  ] as const)('the form of %s', ([signature, expected]) => {
    const made = attempt({ signature })
    const judges = [hasSignature, hasPrefix, has64Characters, isHexadecimal]
    expect(judges.map((judge) => judge(made).is)).toEqual(expected)
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
