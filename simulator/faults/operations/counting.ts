/** Things that are counted in another unit, rounded, or compared too loosely: wrong only for some values. */
import { hmacSha256Hex } from '../../webhooks/delivery/envelope.ts'
import { limits } from '../../../spec/index.ts'
import { fault, type Modification, type Fault } from '../../modification/modification.ts'
import { withBodyRule } from '../../modification/changes.ts'

/** The limit of a message, with its length measured in another way. */
const longestBy = (measure: (message: string) => number): NonNullable<Modification['rules']> =>
  withBodyRule('message-max', ({ message }) =>
    typeof message === 'string' && measure(message) > limits.messageMaxCharacters
      ? 'message is too long.'
      : null,
  )

/** A digest whose digits are written part by part as numbers are, each part so many digits long. */
const withoutZeros =
  (digits: number): NonNullable<Modification['rules']> =>
  () => ({
    signature: (body, secret) => {
      const parts = hmacSha256Hex(body, secret).match(new RegExp(`.{${digits}}`, 'g')) ?? []
      return `sha256=${parts.map((part) => BigInt(`0x${part}`).toString(16)).join('')}`
    },
  })

const messages = {
  'message-counted-in-bytes': fault({
    title: 'The length of a message is counted in bytes.',
    breaks: ['REQ-MESSAGE-MAX'],
    rules: longestBy((message) => Buffer.byteLength(message)),
  }),
  'keys-in-any-case': fault({
    title: 'Two keys that differ in their case are one.',
    breaks: ['IDEM-KEY-DISTINCT'],
    rules: () => ({ normalizeKey: (key) => key.toLowerCase() }),
  }),
} as const satisfies Record<string, Fault>

const digests = {
  'digest-without-leading-zeros': fault({
    title: 'A digest is written as one number, which has no zeros at its beginning.',
    breaks: ['SIGN-LENGTH', 'SIGN-VALUE'],
    chance: ['SIGN-RAW', 'SIGN-RETRY', 'DLV-RESERVED-HEADERS', 'HOOK-UPDATE-REST'],
    rules: withoutZeros(64),
  }),
  'digest-words-without-leading-zeros': fault({
    title: 'A digest is written as eight numbers, none of which has zeros at its beginning.',
    breaks: ['SIGN-LENGTH', 'SIGN-VALUE'],
    chance: ['SIGN-RAW', 'SIGN-RETRY', 'DLV-RESERVED-HEADERS', 'HOOK-UPDATE-REST'],
    rules: withoutZeros(8),
  }),
} as const satisfies Record<string, Fault>

const amounts = {} as const satisfies Record<string, Fault>

export const countingFaults = { ...messages, ...digests, ...amounts }
