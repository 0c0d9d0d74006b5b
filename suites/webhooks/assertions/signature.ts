/** Judgements on signatures: HMAC-SHA256 in hexadecimal over the received bytes, with the secret as UTF-8 for a key. */
import type { Judgement } from '../../scenario/scenario.ts'
import { identifiersIn, type Exchange, excerpt } from '../../wire/exchange.ts'
import { secretOf, signaturePrefix } from '../../wire/signature-facts.ts'
import { arrivalsFirst, attemptsIn, deliveredHeaderValues, deliveriesIn } from './deliveries.ts'
import { citing, fail, check, every, given, inconclusive, observed, pass } from '../../scenario/expect.ts'

/** The header occurs exactly once: of two it is open which one counts. */
export function hasSignature(exchange: Exchange): Judgement {
  const { signatureHeader } = identifiersIn(exchange)
  const got = deliveredHeaderValues(exchange, signatureHeader)
  return check(got.length === 1, `one header ${signatureHeader}`, got.join(' | ') || 'none', exchange)
}

export function hasPrefix(exchange: Exchange): Judgement {
  return given(hasSignature(exchange), () => {
    const got = valueOf(exchange)
    return check(
      got.startsWith(signaturePrefix),
      `a value that begins with ${signaturePrefix}`,
      excerpt(got, 80),
      exchange,
    )
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

/** The signature is that of the received bytes; if not, names the mistake that explains it. */
export function signedWith(exchange: Exchange, secret: string): Judgement {
  if (exchange.inbound?.cut) return inconclusive('the body is larger than we keep')
  return given(hasPrefix(exchange), () => {
    const facts = exchange.signatures ?? []
    const is = facts.find((fact) => fact.secret === secret)?.is
    if (is === 'right') return pass
    if (is === undefined) return inconclusive('it was not compared with the secret of this webhook')
    const other = facts.some((fact) => fact.is === 'right')
    const unknown = other
      ? 'a digest keyed with the secret of another webhook'
      : 'a digest that matches no known mistake: probably another secret'
    const why = is === 'unexplained' ? unknown : is
    return fail('the HMAC-SHA256 of the body, keyed with the secret as it is', why, exchange)
  })
}

/** Every attempt to the endpoint of one webhook. */
export function allSigned(arrived: readonly Exchange[], creation: Exchange): Judgement {
  return keyed(
    creation,
    (secret) =>
      every(attemptsIn(arrived), (one) => {
        const judgement = signedWith(one, secret)
        const delivery = [one, `delivery to the webhook of ${creation.id}`] as const
        return judgement.is === 'fail'
          ? citing(judgement, [creation, 'created webhook'], delivery)
          : judgement
      }),
    arrived,
  )
}

/** Like `allSigned`, for bodies that distinguish signing the bytes from signing a second serialization. */
export function rawSigned(arrived: readonly Exchange[], creation: Exchange): Judgement {
  return keyed(
    creation,
    (secret) => {
      // Text beyond ASCII, or an escape: serializers write it in different ways.
      const ambiguous = attemptsIn(arrived).filter(({ request }) =>
        request.body.some((byte) => byte > 0x7f || byte === 0x5c),
      )
      if (ambiguous.length === 0)
        return inconclusive(
          'no body had text beyond ASCII, or an escape; give the fixture of its event a message whose reply has some',
        )
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
      return every(tried, ([, ...again]) => every(again, (one) => signedWith(one, secret)))
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
const digestOf = (exchange: Exchange): string => valueOf(exchange).slice(signaturePrefix.length)
