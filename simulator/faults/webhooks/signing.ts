/** Signatures that are missing, encoded wrongly, or made of the wrong things. */
import { signature } from '../../webhooks/delivery/envelope.ts'
import type * as Crypto from 'node:crypto'
import type { Rules } from '../../rules.ts'
import {
  deliveryHeaderOf,
  isRetry,
  isSample,
  onAttempt,
  withNamedHeader,
} from '../../modification/delivery-changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto')

/** Where the value is wrong, it is wrong for text beyond ASCII and for later attempts too. */
const anyValue = ['SIGN-VALUE', 'SIGN-RAW', 'SIGN-RETRY'] as const

/** Another value of the header, prefix and all. */
const signing =
  (sign: (body: Uint8Array, secret: string) => string): NonNullable<Fault['rules']> =>
  () => ({ signature: sign })

const hmac = (hash: string, body: Uint8Array, key: Crypto.BinaryLike): Crypto.Hmac =>
  crypto().createHmac(hash, key).update(body)

const readBack = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString('utf8'))

const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const signingFaults = {
  'samples-unsigned': fault({
    title: 'A test is not signed.',
    breaks: ['SIGN-HEADER'],
    ...withNamedHeader('signatureHeader', () => null, isSample),
  }),
  'retries-unsigned': fault({
    title: 'Attempts after the first one are not signed.',
    breaks: ['SIGN-HEADER'],
    ...withNamedHeader('signatureHeader', () => null, isRetry),
  }),
  'signature-of-another-name': fault({
    title: 'The name of the signature header ends in -256.',
    breaks: ['SIGN-HEADER'],
    ...onAttempt(({ headers }, _about, { identifiers }) => ({
      headers: headers.map(([name, value]) => [
        name === identifiers.signatureHeader ? `${name}-256` : name,
        value,
      ]),
    })),
  }),
  'signature-without-prefix': fault({
    title: 'A signature is the digest alone.',
    breaks: ['SIGN-PREFIX'],
    ...withNamedHeader('signatureHeader', (value) => value.replace('sha256=', '')),
  }),
  'signature-prefix-in-capitals': fault({
    title: 'The prefix of a signature is in capitals.',
    breaks: ['SIGN-PREFIX'],
    ...withNamedHeader('signatureHeader', (value) => value.replace('sha256=', 'SHA256=')),
  }),
  'signature-cut': fault({
    title: 'Only the first half of the digest is sent.',
    breaks: ['SIGN-LENGTH', ...anyValue],
    ...withNamedHeader('signatureHeader', (value) => value.slice(0, 'sha256='.length + 32)),
  }),
  'signature-of-sha-512': fault({
    title: 'The digest is that of HMAC-SHA512.',
    breaks: ['SIGN-LENGTH', ...anyValue],
    rules: signing((body, secret) => `sha256=${hmac('sha512', body, secret).digest('hex')}`),
  }),
  'signature-in-base64': fault({
    title: 'The digest is written in base64.',
    breaks: ['SIGN-HEX', 'SIGN-LENGTH', ...anyValue],
    rules: signing((body, secret) => `sha256=${hmac('sha256', body, secret).digest('base64')}`),
  }),
  'signature-of-sha-384': fault({
    title: 'The digest is that of HMAC-SHA384 in base64, which has 64 characters too.',
    breaks: ['SIGN-HEX', ...anyValue],
    rules: signing((body, secret) => `sha256=${hmac('sha384', body, secret).digest('base64')}`),
  }),
  'secret-decoded': fault({
    title: 'Signatures are keyed with the bytes that the digits of the secret stand for.',
    breaks: [...anyValue],
    rules: signing(
      (body, secret) =>
        `sha256=${hmac('sha256', body, Buffer.from(secret.replace('whsec_', ''), 'hex')).digest('hex')}`,
    ),
  }),
  'secret-without-prefix': fault({
    title: 'Signatures are keyed with the part of the secret after its prefix.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(body, secret.replace('whsec_', ''))),
  }),
  'secret-of-the-first': fault({
    title: 'Every webhook of an agent signs with the secret of the one made first.',
    breaks: ['SIGN-VALUE'],
    rules: (_rules, { webhooks }) => ({
      signature: (body, secret) => {
        const own = [...webhooks.values()].find((one) => one.secret === secret)
        const first = [...webhooks.values()].find((one) => one.agent === own?.agent)
        return signature(body, first?.secret ?? secret)
      },
    }),
  }),
  'digest-without-key': fault({
    title: 'A signature is the plain SHA-256 of the secret and the body.',
    breaks: [...anyValue],
    rules: signing(
      (body, secret) => `sha256=${crypto().createHash('sha256').update(secret).update(body).digest('hex')}`,
    ),
  }),
  'signed-with-line-end': fault({
    title: 'A line feed is signed that is not sent.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.concat([body, Buffer.from('\n')]), secret)),
  }),
  'signed-over-parsed-body': fault({
    title: 'The body is parsed and written again before it is signed.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.from(JSON.stringify(readBack(body))), secret)),
  }),
  'signed-in-ascii': fault({
    title: 'What is signed has escapes where the body has letters beyond ASCII.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.from(inAscii(Buffer.from(body).toString())), secret)),
  }),
  'signed-in-latin-1': fault({
    title: 'The bytes of the body are taken for Latin-1 before they are signed.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.from(Buffer.from(body).toString('latin1')), secret)),
  }),
  'payload-signed': fault({
    title: 'Only the payload is signed.',
    breaks: [...anyValue],
    rules: signing((body, secret) => {
      const envelope = readBack(body)
      const payload =
        typeof envelope === 'object' && envelope && 'payload' in envelope ? envelope.payload : ''
      return signature(Buffer.from(JSON.stringify(payload)), secret)
    }),
  }),
  'signature-kept': fault({
    title: 'Every attempt has its own time, under the signature of the first.',
    breaks: [...anyValue],
    interpretations: { 'GAP-ATTEMPT-BODY': 'fresh' },
    remember: () => {
      const first = new WeakMap<object, string>()
      return onAttempt((message, { delivery }, { identifiers }) => {
        const { signatureHeader: header } = identifiers
        const kept = first.get(delivery) ?? deliveryHeaderOf(message, header)
        first.set(delivery, kept)
        return { headers: message.headers.map(([name, value]) => [name, name === header ? kept : value]) }
      })
    },
  }),
  'one-secret-for-all': fault({
    title: 'All webhooks have the same secret.',
    breaks: ['SIGN-SECRET-OWN'],
    rules: (rules: Rules) => {
      let only: string | undefined
      return { newSecret: (random) => (only ??= rules.newSecret(random)) }
    },
  }),
} as const satisfies Record<string, Fault>
