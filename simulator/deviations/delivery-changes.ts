/** The small changes to deliveries that deviations are made of. */
import type { Header } from '../http/reply.ts'
import type { JsonObject } from '../json.ts'
import type { Rules } from '../rules.ts'
import type { Message, Occurrence } from '../webhooks/delivery.ts'
import type { DeliveryAbout, Hooks } from './deviation.ts'

type When = (about: DeliveryAbout) => boolean
export const anyAttempt: When = () => true
export const isSample: When = ({ delivery }) => delivery.occurrence.test
export const isRetry: When = ({ attempt }) => attempt > 1

/** Changes the request of the attempts that a deviation concerns. */
export function onAttempt(
  change: (message: Message, about: DeliveryAbout) => Partial<Message>,
  when: When = anyAttempt,
): Hooks {
  return {
    delivery: (message, about) => (when(about) ? { ...message, ...change(message, about) } : message),
  }
}

const isCalled =
  (name: string) =>
  ([given]: Header): boolean =>
    given.toLowerCase() === name.toLowerCase()

export function headerOf({ headers }: Pick<Message, 'headers'>, name: string): string {
  return headers.find(isCalled(name))?.[1] ?? ''
}

/** Puts another value in the place of a header's, or takes it out where that is null. */
export function withHeader(
  name: string,
  valueOf: (value: string, about: DeliveryAbout) => string | null,
  when?: When,
): Hooks {
  return onAttempt(({ headers }, about) => {
    const changed = headers.flatMap((header): readonly Header[] => {
      if (!isCalled(name)(header)) return [header]
      const value = valueOf(header[1], about)
      return value === null ? [] : [[header[0], value]]
    })
    return { headers: changed }
  }, when)
}

/** Makes something else of the envelope before it is written and signed. */
export function withEnvelope(
  change: (envelope: JsonObject, occurrence: Occurrence) => JsonObject,
): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    envelope: (occurrence, at) => change(rules.envelope(occurrence, at), occurrence),
  })
}

/** Writes the envelope as other bytes, which are what is signed. */
export function written(bytesOf: (envelope: JsonObject, plain: Uint8Array) => Uint8Array) {
  return (rules: Rules): Partial<Rules> => ({
    encode: (envelope) => bytesOf(envelope, rules.encode(envelope)),
  })
}
