/** Judges of every attempt of every delivery, which any scenario with deliveries adds. */
import type { Judgement } from '../../scenario/judgement.ts'
import {
  carriesCustom,
  eachAttempt,
  hasKnownEvent,
  hasNoFlagBeside,
  hasPayload,
  hasTimestamp,
  hasUserAgent,
  isJsonTyped,
  isObjectBody,
  isOfAgent,
  isPost,
  liveIds,
  namesItsEvent,
  sampleIds,
} from '../assertions/delivery.ts'
import {
  allSigned,
  has64Characters,
  hasPrefix,
  hasSignature,
  isHexadecimal,
  rawSigned,
} from '../assertions/signature.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** A scenario with one webhook, whose endpoint is `arrived`. */
interface Came {
  readonly hook: Exchange
  readonly arrived: readonly Exchange[]
}

const of =
  (judge: (attempt: Exchange) => Judgement) =>
  ({ arrived }: Pick<Came, 'arrived'>): Judgement =>
    eachAttempt(arrived, judge)

/** Only text beyond ASCII shows which bytes are signed, and a sample may have none. */
export const rawOnes = { 'SIGN-RAW': ({ hook, arrived }: Came) => rawSigned(arrived, hook) }

/** Signed with the secret of its webhook. */
export const signedOnes = {
  'SIGN-HEADER': of(hasSignature),
  'SIGN-PREFIX': of(hasPrefix),
  'SIGN-LENGTH': of(has64Characters),
  'SIGN-HEX': of(isHexadecimal),
  'SIGN-VALUE': ({ hook, arrived }: Came) => allSigned(arrived, hook),
}

const shape = {
  'DLV-POST': of(isPost),
  'DLV-CONTENT-TYPE': of(isJsonTyped),
  'DLV-USER-AGENT': of(hasUserAgent),
  'DLV-EVENT-HEADER': of(namesItsEvent),
  'DLV-BODY': of(isObjectBody),
  'DLV-EVENT-TYPE': of(hasKnownEvent),
  'DLV-CHATBOT': ({ hook, arrived }: Came) => eachAttempt(arrived, (one) => isOfAgent(one, hook)),
  'DLV-TIMESTAMP': of(hasTimestamp),
  'DLV-PAYLOAD': of(hasPayload),
  'DLV-TEST-FLAG': of(hasNoFlagBeside),
}

/** The members that any kind of event has. */
export const ofAnyEvent = {
  'DLV-EVENT-HEADER': shape['DLV-EVENT-HEADER'],
  'DLV-CHATBOT': shape['DLV-CHATBOT'],
  'DLV-TIMESTAMP': shape['DLV-TIMESTAMP'],
  'DLV-PAYLOAD': shape['DLV-PAYLOAD'],
}

export const liveOnes = {
  ...shape,
  ...signedOnes,
  ...rawOnes,
  'DLV-ID-LIVE': ({ arrived }: Pick<Came, 'arrived'>) => liveIds(arrived),
}

export const testOnes = {
  ...shape,
  ...signedOnes,
  'DLV-ID-TEST': ({ arrived }: Pick<Came, 'arrived'>) => sampleIds(arrived),
}

/** Custom headers that any service accepts, and their judge. */
export const customHeaders = { 'X-Touchstone-Mark': 'a:mark', 'x-other-mark': 'two words; and=more' } as const

export const customOnes = {
  'DLV-CUSTOM-HEADERS': of((one) => carriesCustom(one, customHeaders)),
}
