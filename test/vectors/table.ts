/** What the signature vectors are made of. The digests are not computed here: see openssl.ts. */

/** Makes a header value from the digest, hex, of `body` under `secret`, or of another text or secret. */
export type Sign = (change?: { body?: string | Uint8Array; secret?: string }) => string

export interface Row {
  secret?: string
  body: string | Uint8Array
  /** Values of the header as Latin-1, one per header line; none where it is missing. */
  headers(sign: Sign): readonly string[]
  accept: boolean
  because: string
}

const secret = 'whsec_9f1c2b7a4d'
const envelope = (payload: string): string =>
  `{"eventType":"leads.submit","chatbotId":"agent_1","timestamp":"2026-11-21T09:30:00.000Z","payload":${payload}}`
const plain = envelope('{"customerName":"Ada"}')
const spaced =
  '{ "payload" : { "customerName" : "Ada" },\n  "timestamp" : "2026-11-21T09:30:00.000Z",\n  "chatbotId" : "agent_1",\n  "eventType" : "leads.submit" }\n'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bytes = (...parts: readonly (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : part)))

const genuine = (body: string | Uint8Array, because: string): Row => ({
  body,
  headers: (sign) => [`sha256=${sign()}`],
  accept: true,
  because,
})

/** Over the plain body, with one thing wrong. */
const forged = (headers: Row['headers'], because: string, body: string | Uint8Array = plain): Row => ({
  body,
  headers,
  accept: false,
  because,
})

/** True signatures over bodies that are easily spoilt on the way. */
const trueOnes = {
  'github-documentation': {
    ...genuine(
      'Hello, World!',
      'GitHub documents this digest for the same scheme: an anchor outside of here.',
    ),
    secret: "It's a Secret to Everybody",
  },
  plain: genuine(plain, 'The ordinary case.'),
  'secret-not-ascii': { ...genuine(plain, 'The key is the secret as UTF-8.'), secret: 'clé-秘密-🔑' },
  'secret-longer-than-a-block': {
    ...genuine(plain, 'HMAC hashes a key of more than 64 bytes first.'),
    secret: 'k'.repeat(100),
  },
  spaced: genuine(spaced, 'White space and line ends are part of the body.'),
  'key-order': genuine('{"b":1,"a":2}', 'Keys stay in the order sent.'),
  'key-twice': genuine('{"a":1,"a":2}', 'A parser would drop one of the two.'),
  'numbers-with-fraction-and-exponent': genuine(
    '{"a":1.0,"b":1e3,"c":-0}',
    'A parser would write 1, 1000 and 0.',
  ),
  'number-beyond-double': genuine('{"a":12345678901234567890}', 'A parser would round it.'),
  escapes: genuine(String.raw`{"a":"\u00e9\/\u0041"}`, 'Escapes stay as they were written.'),
  'not-ascii': genuine(
    envelope('{"customerName":"Zoë Ünal"}'),
    'Two bytes a character: Latin-1 gives another digest.',
  ),
  emoji: genuine('{"a":"👩‍👩‍👧 🎉"}', 'Four bytes and two UTF-16 units a character.'),
  'emoji-escaped': genuine(String.raw`{"a":"\ud83c\udf89"}`, 'The same character as two escapes.'),
  'line-separators': genuine('{"a":"\u2028\u2029"}', 'Allowed in JSON; some writers escape them.'),
  'byte-order-mark': genuine(bytes([0xef, 0xbb, 0xbf], '{"a":1}'), 'Three bytes that decoders drop.'),
  'not-utf-8': genuine(bytes('{"a":"', [0xff, 0xfe, 0x80], '"}'), 'A decoder would put U+FFFD there.'),
  'zero-byte': genuine(bytes('{"a":"', [0], '"}'), 'A text that ends at a zero byte would be cut.'),
  'carriage-returns': genuine('{\r\n"a":1\r\n}\r\n', 'Line ends are not changed.'),
  empty: genuine('', 'No byte at all has a digest too.'),
  'one-mebibyte': genuine(utf8(`{"a":"${'x'.repeat(2 ** 20 - 8)}"}`), 'It comes in many reads.'),
} satisfies Record<string, Row>

const forgeries = {
  'no-header': forged(() => [], 'There is no signature.'),
  'empty-header': forged(() => [''], 'There is no signature.'),
  'prefix-only': forged(() => ['sha256='], 'There is no digest.'),
  'one-digit': forged((sign) => [`sha256=${sign().slice(0, 1)}`], 'It has 1 digit of 64.'),
  'half-the-digits': forged((sign) => [`sha256=${sign().slice(0, 32)}`], 'It has 32 digits of 64.'),
  'one-digit-short': forged((sign) => [`sha256=${sign().slice(0, 63)}`], 'It has 63 digits of 64.'),
  'two-digits-more': forged((sign) => [`sha256=${sign()}00`], 'It has 66 digits.'),
  'no-prefix': forged((sign) => [sign()], 'The prefix sha256= is missing.'),
  'other-prefix': forged((sign) => [`sha1=${sign()}`], 'It names another algorithm.'),
  'not-hex': forged(() => [`sha256=${'z'.repeat(64)}`], 'These are no hex digits.'),
  'ends-in-other-than-hex': forged(
    (sign) => [`sha256=${sign().slice(0, 62)}zz`],
    'A decoder that stops at the first wrong digit sees a true beginning.',
  ),
  'all-zero': forged(() => [`sha256=${'0'.repeat(64)}`], 'It is the digest of something else.'),
  'one-bit-of-the-digest': forged((sign) => [`sha256=${flipped(sign())}`], 'One bit of the digest differs.'),
  'latin-1': forged(
    () => [`sha256=${'é'.repeat(64)}`],
    '64 characters, and 128 bytes as UTF-8: a comparison of equal lengths must not fall over it.',
  ),
  'twice-in-one': forged((sign) => [`sha256=${sign()}, sha256=${sign()}`], 'One value with a list in it.'),
  'two-headers': forged(
    (sign) => [`sha256=${'0'.repeat(64)}`, `sha256=${sign()}`],
    'Two values are no signature.',
  ),
  'other-secret': forged((sign) => [`sha256=${sign({ secret: 'another' })}`], 'Signed with another secret.'),
  'empty-secret': forged((sign) => [`sha256=${sign({ secret: '' })}`], 'Signed with no secret.'),
  'line-end-added': forged(
    (sign) => [`sha256=${sign({ body: plain })}`],
    'A line end was added after signing.',
    `${plain}\n`,
  ),
  'byte-changed': forged(
    (sign) => [`sha256=${sign({ body: plain })}`],
    'One byte was changed after signing.',
    plain.replace('Ada', 'Ade'),
  ),
  'mark-stripped': forged(
    (sign) => [`sha256=${sign({ body: bytes([0xef, 0xbb, 0xbf], plain) })}`],
    'A byte order mark was lost after signing.',
  ),
  'body-lost': forged((sign) => [`sha256=${sign({ body: plain })}`], 'The body was lost after signing.', ''),
  'body-re-serialised': forged(
    (sign) => [`sha256=${sign({ body: spaced })}`],
    'The body was written anew after signing.',
    JSON.stringify(JSON.parse(spaced)),
  ),
  'signature-re-serialised': forged(
    (sign) => [`sha256=${sign({ body: JSON.stringify(JSON.parse(spaced)) })}`],
    'The signature is that of the body written anew.',
    spaced,
  ),
} satisfies Record<string, Row>

function flipped(digest: string): string {
  const last = Number.parseInt(digest.slice(-1), 16) ^ 1
  return digest.slice(0, -1) + last.toString(16)
}

export const commonSecret = secret
export const rows: Readonly<Record<string, Row>> = { ...trueOnes, ...forgeries }
