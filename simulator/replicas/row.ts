/** What the store knows of a tenant before it is run: its seed, and the options it was made with. */
import { isDeepStrictEqual } from 'node:util'
import { tokensOf } from '../in-process-host.ts'
import { createTenant } from '../create-tenant.ts'
import type { Tenant, TenantOptions } from '../tenant.ts'
import type { TenantRow } from '../store/store.ts'
import { tokenDigest } from './tokens.ts'

const names = {
  vendor: true,
  identifiers: true,
  faults: true,
  variants: true,
  interpretations: true,
  clock: true,
  replyRules: true,
  journalCapacity: true,
  journalBytes: true,
  journalCredentials: true,
  retention: true,
  unlimited: true,
  legacy: true,
  tasks: true,
  networkFaults: true,
  targets: true,
} as const satisfies Record<Exclude<keyof TenantOptions, 'seed'>, true>

const optionNames = Object.keys(names) as (keyof typeof names)[]

/** Options as JSON. Throws a RangeError for one that JSON has no word for, such as a function. */
export function keptOptions(options: TenantOptions): string {
  const kept: Record<string, unknown> = {}
  for (const name of optionNames) {
    const value = options[name]
    if (value === undefined) continue
    const text = JSON.stringify(value)
    kept[name] = text === undefined ? undefined : JSON.parse(text)
    if (!isDeepStrictEqual(kept[name], value))
      throw new RangeError(`The option ${name} cannot be kept: in a store, it has to be plain JSON.`)
  }
  return JSON.stringify(kept)
}

/** Everything of a tenant that follows from its seed and options. */
export interface Sketch {
  readonly row: TenantRow
  /** Digests of everything that chooses it. */
  readonly digests: readonly string[]
  /** Not owned: for its names and initial rules. */
  readonly tenant: Tenant
}

export function sketch(seed: string, options: TenantOptions, url: () => string): Sketch {
  const text = keptOptions(options)
  const tenant = createTenant({ seed, url, shared: new Map(), onClose: () => undefined }, options)
  return { row: { id: tenant.id, seed, options: text }, digests: tokensOf(tenant).map(tokenDigest), tenant }
}

/** As they stand in a row of ours. */
export const optionsIn = (text: string): TenantOptions => JSON.parse(text) as TenantOptions
