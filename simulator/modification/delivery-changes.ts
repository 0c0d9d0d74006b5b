/** The small changes to deliveries that modifications are made of. */
import type { DeliveryAbout } from './hooks.ts'
import type { IdentifierName } from '../../spec/identifiers.ts'
import type { HeaderLine } from '../server/reply.ts'
import type { JsonObject } from '../json.ts'
import type { Rules } from '../rules.ts'
import type { DeliveryRequest, Occurrence } from '../webhooks/delivery/delivery.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { TenantHooks } from './modification.ts'

type When = (about: DeliveryAbout) => boolean
export const anyAttempt: When = () => true
export const isRetry: When = ({ attempt }) => attempt > 1

export function onAttempt(
  change: (message: DeliveryRequest, about: DeliveryAbout, state: TenantState) => Partial<DeliveryRequest>,
  when: When = anyAttempt,
): TenantHooks {
  return {
    delivery: (message, about, state) =>
      when(about) ? { ...message, ...change(message, about, state) } : message,
  }
}

const isCalled =
  (name: string) =>
  ([given]: HeaderLine): boolean =>
    given.toLowerCase() === name.toLowerCase()

/** Another value of a header; null takes it out. */
type ValueOf = (value: string, about: DeliveryAbout) => string | null

/** Puts another value in the place of a header's, or takes it out where that is null. */
export function withHeader(name: string, valueOf: ValueOf, when?: When): TenantHooks {
  return onAttempt(({ headers }, about) => ({ headers: replaced(headers, name, valueOf, about) }), when)
}

/** The same for a header whose name has the vendor's word in it. */
export function withNamedHeader(name: IdentifierName, valueOf: ValueOf, when?: When): TenantHooks {
  return onAttempt(
    ({ headers }, about, { identifiers }) => ({
      headers: replaced(headers, identifiers[name], valueOf, about),
    }),
    when,
  )
}

function replaced(
  headers: readonly HeaderLine[],
  name: string,
  valueOf: ValueOf,
  about: DeliveryAbout,
): readonly HeaderLine[] {
  return headers.flatMap((header): readonly HeaderLine[] => {
    if (!isCalled(name)(header)) return [header]
    const value = valueOf(header[1], about)
    return value === null ? [] : [[header[0], value]]
  })
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
