/** Judgements on signatures: HMAC-SHA256 in hexadecimal over the received bytes, with the secret as UTF-8 for a key. */
import { createHmac, type BinaryLike } from 'node:crypto'
import type { Judgement } from '../../scenario/scenario.ts'
import { mustBeShown } from '../../scenario/withheld.ts'
import { identifiersIn, type Exchange, excerpt } from '../../wire/exchange.ts'
import { object } from '../../assertions/answer.ts'
import {
  arrivalsFirst,
  attemptsIn,
  deliveredHeaderValues,
  deliveriesIn,
  deliveredJson,
} from './deliveries.ts'
import { citing, fail, check, every, given, inconclusive, observed, pass } from '../../scenario/expect.ts'

const prefix = 'sha256='

/** The secret that a creation returned; null if it has none. */
export function secretOf(creation: Exchange): string | null {
  const secret = object(creation)?.['secret_key']
  return typeof secret === 'string' && secret !== '' ? secret : null
}

/** The header occurs exactly once: of two it is open which one counts. */
export function hasSignature(exchange: Exchange): Judgement {
  const { signatureHeader } = identifiersIn(exchange)
  const got = deliveredHeaderValues(exchange, signatureHeader)
  return check(got.length === 1, `one header ${signatureHeader}`, got.join(' | ') || 'none', exchange)
}

export function hasPrefix(exchange: Exchange): Judgement {
  return given(hasSignature(exchange), () => {
    const got = valueOf(exchange)
    return check(got.startsWith(prefix), `a value that begins with ${prefix}`, excerpt(got, 80), exchange)
  })
}

export function has64Characters(exchange: Exchange): Judgement {
  return given(hasPrefix(exchange), () => {
    const { length } = digestOf(exchange)
    return check(length === 64, '64 characters after the prefix', `${length}`, exchange)
  })
}

export function isHexadecimal(exchange: Exchange): Judgement {
  return given(hasPrefix(exchange), () => {
    const got = digestOf(exchange)
    return check(/^[0-9a-f]+$/i.test(got), 'hexadecimal digits', excerpt(got, 80), exchange)
  })
}

/**
 * The signature is that of the received bytes; if not, names the mistake that would explain it. Throws SecretWithheld
 * if a journal does not contain the data to compute it.
 */
export function signedWith(exchange: Exchange, secret: string, others: Others = {}): Judgement {
  if (exchange.inbound?.cut) return inconclusive('the body is larger than we keep')
  return given(hasPrefix(exchange), () => {
    mustBeShown(secret, exchange)
    const got = digestOf(exchange)
    const expected = hexOf(secret, exchange.request.body)
    if (got.toLowerCase() === expected) return pass
    const mistake = mistakeIn(got, exchange, secret, others)
    const why = mistake ?? 'a digest that no mistake we know of explains'
    return fail('the HMAC-SHA256 of the body, keyed with the secret as it is', why, exchange)
  })
}

/** Every attempt to the endpoint of one webhook. */
export function allSigned(arrived: readonly Exchange[], creation: Exchange, others: Others = {}): Judgement {
  return keyed(
    creation,
    (secret) =>
      every(attemptsIn(arrived), (one) => byWebhook(signedWith(one, secret, others), one, creation, others)),
    arrived,
  )
}

/** Cites the delivery, its webhook, and the other webhook whose secret signed it. */
function byWebhook(
  judgement: Judgement,
  delivery: Exchange,
  creation: Exchange,
  { webhooks = [] }: Others,
): Judgement {
  if (judgement.is !== 'fail') return judgement
  const signer = webhooks.find(
    (one) => hexOf(secretOf(one) ?? '', delivery.request.body) === digestOf(delivery),
  )
  return citing(
    judgement,
    [creation, 'created webhook'],
    [signer, 'created webhook whose secret was used'],
    [delivery, `delivery to the webhook of ${creation.id}`],
  )
}

/** Like `allSigned`, for bodies that distinguish signing the bytes from signing a second serialization. */
export function rawSigned(arrived: readonly Exchange[], creation: Exchange): Judgement {
  return keyed(
    creation,
    (secret) => {
      const ambiguous = attemptsIn(arrived).filter(isAmbiguous)
      if (ambiguous.length === 0) return inconclusive('no body had text beyond ASCII, or an escape')
      return every(ambiguous, (one) => signedWith(one, secret))
    },
    arrived,
  )
}

/** Every attempt after the first one has a signature of its own body. */
export function retriesSigned(arrived: readonly Exchange[], creation: Exchange): Judgement {
  return keyed(
    creation,
    (secret) => {
      const tried = deliveriesIn(arrived).filter((attempts) => attempts.length > 1)
      if (tried.length === 0) return inconclusive('no delivery was tried a second time')
      return every(tried, ([first, ...again]) =>
        every(again, (one) => signedWith(one, secret, { earlier: first.request.body })),
      )
    },
    arrived,
  )
}

export function secretsApart(creations: readonly Exchange[]): Judgement {
  const secrets = creations.map(secretOf).filter((secret) => secret !== null)
  if (secrets.length < 2) return inconclusive('fewer than two webhooks were made with a secret')
  const apart = new Set(secrets).size
  return check(apart === secrets.length, `${secrets.length} secrets`, `${apart}`, creations.at(-1))
}

export function hexCase(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, (attempts) => {
    const letters = attempts.map((one) => (hasPrefix(one).is === 'pass' ? digestOf(one) : '')).join('')
    const found = [/[a-f]/.test(letters) && 'small', /[A-F]/.test(letters) && 'capital'].filter(Boolean)
    return found.length > 0
      ? observed(`${found.join(' and ')} letters`)
      : inconclusive('no digest had a letter')
  })
}

function keyed(
  creation: Exchange,
  judge: (secret: string) => Judgement,
  arrived: readonly Exchange[],
): Judgement {
  return arrivalsFirst(arrived, () => {
    const secret = secretOf(creation)
    return secret === null ? inconclusive('the creation returned no secret') : judge(secret)
  })
}

const valueOf = (exchange: Exchange): string =>
  deliveredHeaderValues(exchange, identifiersIn(exchange).signatureHeader)[0] ?? ''
const digestOf = (exchange: Exchange): string => valueOf(exchange).slice(prefix.length)

const hexOf = (key: BinaryLike, body: Uint8Array): string =>
  createHmac('sha256', key).update(body).digest('hex')

/** Text beyond ASCII, or an escape: serializers write it in different ways. */
function isAmbiguous({ request }: Exchange): boolean {
  return request.body.some((byte) => byte > 0x7f || byte === 0x5c)
}

export interface Others {
  /** Creations of webhooks of the scenario. */
  webhooks?: readonly Exchange[]
  /** The body of an earlier attempt. */
  earlier?: Uint8Array
}

type Mistake = readonly [name: string, key: BinaryLike, body: Uint8Array]

/** Common mistakes, each with the key and the bytes that it would sign with. */
function mistakes(
  exchange: Exchange,
  secret: string,
  { webhooks = [], earlier }: Others,
): readonly Mistake[] {
  const { body } = exchange.request
  const bare = secret.replace(/^[a-z]+_/i, '')
  const keys: readonly (readonly [string, BinaryLike])[] = [
    // First, since text that is not hexadecimal decodes to nothing too.
    ['keyed with nothing', ''],
    ['keyed with the part of the secret after its prefix', bare],
    ['keyed with the secret decoded from base64', Buffer.from(secret, 'base64')],
    ['keyed with the part after the prefix, decoded from base64', Buffer.from(bare, 'base64')],
    ['keyed with the secret decoded from hexadecimal', Buffer.from(secret, 'hex')],
    ['keyed with the part after the prefix, decoded from hexadecimal', Buffer.from(bare, 'hex')],
    ...webhooks
      .flatMap((creation) => secretOf(creation) ?? [])
      .filter((other) => other !== secret)
      .map((other) => ['keyed with the secret of another webhook', other] as const),
  ]
  const bodies: readonly (readonly [string, Uint8Array])[] = [
    ...rewritten(exchange),
    ['over the body with a line feed', Buffer.concat([body, Buffer.from('\n')])],
    ['over nothing', Buffer.alloc(0)],
    ...(earlier ? [['over the body of the first attempt', earlier] as const] : []),
  ]
  return [
    ...keys.map(([name, key]) => [name, key, body] as const),
    ...bodies.map(([name, bytes]) => [name, secret, bytes] as const),
  ]
}

function rewritten(exchange: Exchange): readonly (readonly [string, Uint8Array])[] {
  const read = deliveredJson(exchange)
  if (!read.ok) return []
  const plain = JSON.stringify(read.value)
  const ascii = plain.replaceAll(/[^\0-\x7f]/g, (unit) => String.raw`\u` + hexUnit(unit))
  return [
    ['over the body parsed and written again', Buffer.from(plain)],
    ['over the body written again with indents', Buffer.from(JSON.stringify(read.value, null, 2))],
    ['over the body written again in ASCII', Buffer.from(ascii)],
    ['over the payload alone', Buffer.from(JSON.stringify(payloadOf(read.value)) ?? '')],
    ['over the body read as Latin-1', Buffer.from(Buffer.from(exchange.request.body).toString('latin1'))],
  ]
}

const hexUnit = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0')

function payloadOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'payload' in value ? value.payload : undefined
}

/** Wrong encodings of a digest. */
const encodings: readonly (readonly [name: string, write: (digest: Buffer) => string])[] = [
  ['in base64', (digest) => digest.toString('base64')],
  ['in base64 for URLs', (digest) => digest.toString('base64url')],
  [
    'without the leading zeros of its bytes',
    (digest) => Array.from(digest, (byte) => byte.toString(16)).join(''),
  ],
  ['without its leading zeros', (digest) => digest.toString('hex').replace(/^0+/, '')],
]

function mistakeIn(got: string, exchange: Exchange, secret: string, others: Others): string | null {
  const { body } = exchange.request
  const signed = mistakes(exchange, secret, others).find(
    ([, key, bytes]) => hexOf(key, bytes) === got.toLowerCase(),
  )
  if (signed) return `a digest ${signed[0]}`
  const digest = createHmac('sha256', secret).update(body).digest()
  const encoding = encodings.find(([, write]) => write(digest) === got)
  if (encoding) return `the right digest ${encoding[0]}`
  const other = ['sha1', 'sha512', 'md5'].find(
    (hash) => createHmac(hash, secret).update(body).digest('hex') === got.toLowerCase(),
  )
  return other ? `an HMAC-${other.toUpperCase()}` : null
}
