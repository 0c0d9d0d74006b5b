/**
 * Of the signature of a delivery, what only a secret shows: for each webhook of the scenario, whether its secret gives
 * it, or which mistake does. Computed as the delivery is recorded, because the record has no secrets.
 */
import { createHmac, type BinaryLike } from 'node:crypto'
import type { SignatureFact, Signing } from '../../bundle/exchange.ts'
import { token } from '../../bundle/redaction/search.ts'
import { at, decode, identifiersIn, member, parseJson, type Exchange } from './exchange.ts'

export const signaturePrefix = 'sha256='

/** The secret that a creation returned; null if it has none. */
export function secretOf(creation: Exchange): string | null {
  const secret = member(creation, '/secret_key')
  return typeof secret === 'string' && secret !== '' ? secret : null
}

export function headerOf({ request }: Exchange, name: string): string | undefined {
  return request.headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
}

/** Begins the name under which a secret is recorded that no webhook of the run has shown. */
export const givenSecret = 'given '

interface KnownSecret {
  secret: string
  recorded: string
  /** The address that the webhook was made with, without a query. */
  url: string
}

/**
 * All that a scenario of ours makes; of as many deliveries the first attempts are remembered. In a recording, where all
 * webhooks are of one scenario, a delivery is compared with those of its place.
 */
const most = { compared: 20, bodies: 1_000 }

/** Gives the facts of an exchange, with the secrets of creations that ended before it, and with those that were given. */
export function createSignatureFacts(given: readonly string[] = []) {
  const stated = given.map((secret, at): KnownSecret => ({
    secret,
    recorded: `${givenSecret}${at + 1}`,
    url: '',
  }))
  /** By scenario. */
  const secrets = new Map<string, KnownSecret[]>()
  /** By the last part of their address. */
  const byEnd = new Map<string, KnownSecret[]>()
  /** Bodies of first attempts, by place and delivery. */
  const bodies = new Map<string, Uint8Array>()
  /** What was right last at a place, or undefined where nothing was. */
  const rightAt = new Map<string, KnownSecret | undefined>()

  function learn(creation: Exchange, redacted: Exchange): void {
    const [secret, recorded] = [secretOf(creation), secretOf(redacted)]
    // Of a recording that is judged again, the facts are known, and the secret no longer is.
    if (secret === null || recorded === null || token.test(secret)) return
    const known = secrets.get(creation.scenario) ?? [...stated]
    secrets.set(creation.scenario, known)
    const one = { secret, recorded, url: urlOf(creation) }
    known.push(one)
    byEnd.set(endOf(one.url), [...(byEnd.get(endOf(one.url)) ?? []), one])
  }

  return (exchange: Exchange, redacted: Exchange): { signatures?: readonly SignatureFact[] } => {
    const { scenario, inbound, request, response } = exchange
    if (!inbound) {
      if (request.method === 'POST' && response !== null && response.status < 300) learn(exchange, redacted)
      return {}
    }
    const known = secrets.get(scenario) ?? stated
    const { signatureHeader, deliveryIdHeader } = identifiersIn(exchange)
    const signature = headerOf(exchange, signatureHeader)
    if (inbound.cut || known.length === 0 || !signature?.startsWith(signaturePrefix)) return {}
    const delivery = `${inbound.place} ${headerOf(exchange, deliveryIdHeader)}`
    const first = bodies.get(delivery)
    if (bodies.size === most.bodies) bodies.clear()
    bodies.set(delivery, first ?? request.body)
    const got = signature.slice(signaturePrefix.length)
    const isRight = ({ secret }: KnownSecret): boolean => got.toLowerCase() === hexOf(secret, request.body)
    const { place } = inbound
    const isFew = known.length <= most.compared
    const placed = byEnd.get(endOf(place))?.filter(({ url }) => url.endsWith(place)) ?? []
    const own = isFew ? known : [...new Set([rightAt.get(place) ?? [], placed].flat())]
    // What another secret explains is no mistake.
    const others = !isFew && (own.length > 0 || !rightAt.has(place)) ? known : []
    const right = own.find(isRight) ?? others.find(isRight)
    rightAt.set(place, right ?? rightAt.get(place))
    const compared = isFew ? known : right ? [right] : own.slice(-most.compared)
    // Where one secret is right, no mistake with another is: of a large body, each takes a while to try.
    const signatures = compared.map((one) => ({
      secret: one.recorded,
      is:
        right && right.secret !== one.secret
          ? 'unexplained'
          : signingOf(got, request.body, one.secret, first),
    }))
    return signatures.length === 0 ? {} : { signatures: [...(exchange.signatures ?? []), ...signatures] }
  }
}

const endOf = (address: string): string => address.slice(address.lastIndexOf('/'))

/** Empty where it has none that can be read. */
function urlOf({ request }: Exchange): string {
  const read = parseJson(decode(request.body).text)
  const url = read.ok ? at(read.value, '/endpoint_url') : null
  return typeof url === 'string' ? (url.split('?', 1)[0] ?? '') : ''
}

const hexOf = (key: BinaryLike, body: Uint8Array, hash = 'sha256'): string =>
  createHmac(hash, key).update(body).digest('hex')

/** What a digest shows about a body; `first` is that of the first attempt. */
function signingOf(got: string, body: Uint8Array, secret: string, first?: Uint8Array): Signing {
  if (got.toLowerCase() === hexOf(secret, body)) return 'right'
  return (
    mistakes(body, secret, first).find(([, digest]) => digest() === got.toLowerCase())?.[0] ??
    encodings.find(([, write]) => write(createHmac('sha256', secret).update(body).digest()) === got)?.[0] ??
    'unexplained'
  )
}

type Mistake = readonly [is: Signing, digest: () => string]

/** Common mistakes, each with the digest that it would give. */
function mistakes(body: Uint8Array, secret: string, first: Uint8Array | undefined): readonly Mistake[] {
  const bare = secret.replace(/^[a-z]+_/i, '')
  const keyed = (is: Signing, key: BinaryLike): Mistake => [is, () => hexOf(key, body)]
  const over = (is: Signing, bytes: Uint8Array): Mistake => [is, () => hexOf(secret, bytes)]
  const hashed = (is: Signing, hash: string): Mistake => [is, () => hexOf(secret, body, hash)]
  return [
    // First, since text that is not hexadecimal decodes to nothing too.
    keyed('a digest keyed with nothing', ''),
    keyed('a digest keyed with the part of the secret after its prefix', bare),
    keyed('a digest keyed with the secret decoded from base64', Buffer.from(secret, 'base64')),
    keyed('a digest keyed with the part after the prefix, decoded from base64', Buffer.from(bare, 'base64')),
    keyed('a digest keyed with the secret decoded from hexadecimal', Buffer.from(secret, 'hex')),
    keyed(
      'a digest keyed with the part after the prefix, decoded from hexadecimal',
      Buffer.from(bare, 'hex'),
    ),
    ...rewritten(body).map(([is, bytes]) => over(is, bytes)),
    over('a digest over the body with a line feed', Buffer.concat([body, Buffer.from('\n')])),
    over('a digest over nothing', Buffer.alloc(0)),
    ...(first ? [over('a digest over the body of the first attempt', first)] : []),
    hashed('an HMAC-SHA1', 'sha1'),
    hashed('an HMAC-SHA512', 'sha512'),
    hashed('an HMAC-MD5', 'md5'),
  ]
}

function rewritten(body: Uint8Array): readonly (readonly [Signing, Uint8Array])[] {
  const { valid, text } = decode(body)
  const read = valid ? parseJson(text) : null
  if (!read?.ok) return []
  const plain = JSON.stringify(read.value)
  const ascii = plain.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
  )
  return [
    ['a digest over the body parsed and written again', Buffer.from(plain)],
    ['a digest over the body written again with indents', Buffer.from(JSON.stringify(read.value, null, 2))],
    ['a digest over the body written again in ASCII', Buffer.from(ascii)],
    ['a digest over the payload alone', Buffer.from(JSON.stringify(at(read.value, '/payload')) ?? '')],
    ['a digest over the body read as Latin-1', Buffer.from(Buffer.from(body).toString('latin1'))],
  ]
}

/** Wrong encodings of the right digest. */
const encodings: readonly (readonly [is: Signing, write: (digest: Buffer) => string])[] = [
  ['the right digest in base64', (digest) => digest.toString('base64')],
  ['the right digest in base64 for URLs', (digest) => digest.toString('base64url')],
  [
    'the right digest without the leading zeros of its bytes',
    (digest) => Array.from(digest, (byte) => byte.toString(16)).join(''),
  ],
  ['the right digest without its leading zeros', (digest) => digest.toString('hex').replace(/^0+/, '')],
]

/** With what the secret shows of this value of the header, as a run records it. */
export const compared = (exchange: Exchange, value: string, secret: string): Exchange => ({
  ...exchange,
  signatures: [{ secret, is: signingOf(value.slice(signaturePrefix.length), exchange.request.body, secret) }],
})
