/** Signatures that are missing, encoded wrongly, or made of the wrong things. */
import { signature } from '../../webhooks/delivery/envelope.ts'

import type * as Crypto from 'node:crypto'
import type { Rules } from '../../rules/tenant-state.ts'
import { isRetry, withNamedHeader } from '../../modification/webhook-changes.ts'
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

const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const signingFaults = {
  'retries-unsigned': fault({
    title: 'Attempts after the first one are not signed.',
    breaks: ['SIGN-HEADER'],
    ...withNamedHeader('signatureHeader', () => null, isRetry),
  }),
  'signature-prefix-in-capitals': fault({
    title: 'The prefix of a signature is in capitals.',
    breaks: ['SIGN-PREFIX'],
    ...withNamedHeader('signatureHeader', (value) => value.replace('sha256=', 'SHA256=')),
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
  'signed-with-line-end': fault({
    title: 'A line feed is signed that is not sent.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.concat([body, Buffer.from('\n')]), secret)),
  }),
  'signed-in-ascii': fault({
    title: 'What is signed has escapes where the body has letters beyond ASCII.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.from(inAscii(Buffer.from(body).toString())), secret)),
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
