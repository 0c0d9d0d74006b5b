/** Which vendor's word a target writes in what was seen of it. Pure. */
import {
  contractIdentifiers,
  defaultVendor,
  identifiersIn,
  vendorIn,
  type IdentifierName,
} from '../../../spec/identifiers.ts'
import type { Target } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'

interface Seen {
  name: IdentifierName
  word: string
  value: string
}

/** Every identifier that a response or a delivery shows, but those that stand in one message under two words. */
export function seenIn({ request, response, inbound }: Exchange): readonly Seen[] {
  const headers = (inbound ? request.headers : response?.headers) ?? []
  const names = inbound
    ? (['signatureHeader', 'deliveryIdHeader', 'eventHeader'] as const)
    : (['replayHeader'] as const)
  const found = headers.flatMap(([header, value]) => [
    ...names.flatMap((name) => seen(name, header)),
    ...(inbound && header.toLowerCase() === 'user-agent' ? seen('userAgent', value) : []),
  ])
  // A custom header of a webhook may be called as an identifier is.
  return found.filter(({ name, word }) => found.every((other) => other.name !== name || other.word === word))
}

function seen(name: IdentifierName, value: string): readonly Seen[] {
  const word = vendorIn(name, value)
  return word === null ? [] : [{ name, word, value }]
}

export interface OtherVendor {
  word: string
  /** As they came, each once. */
  identifiers: readonly string[]
  /** A delivery is among what was seen. */
  delivered: boolean
}

/**
 * The one word, other than that of the contract, which every identifier seen agrees on; `settled` where there can be
 * none any more, null where nothing was seen. An identifier that the target overrides has no say.
 */
export function otherVendor(
  exchanges: readonly Exchange[],
  target: Pick<Target, 'vendor' | 'identifiers'>,
): OtherVendor | 'settled' | null {
  if (target.vendor !== undefined) return 'settled'
  return agreedOn(exchanges.flatMap(seenIn), target)
}

function agreedOn(
  seen: readonly Seen[],
  target: Pick<Target, 'identifiers'>,
): OtherVendor | 'settled' | null {
  const own = identifiersIn(target)
  const all = seen.filter(({ name }) => own[name] === contractIdentifiers[name])
  const words = new Set(all.map(({ word }) => word))
  const [word] = words
  if (word === undefined) return null
  if (words.size > 1 || word === defaultVendor) return 'settled'
  const identifiers = [...new Set(all.map(({ value }) => value))]
  return { word, identifiers, delivered: all.some(({ name }) => name !== 'replayHeader') }
}

export function vendorAdvice({ word, identifiers }: Pick<OtherVendor, 'word' | 'identifiers'>): string {
  return `this service writes \`${word}\` where the contract has \`${defaultVendor}\` (${identifiers.join(', ')}): add \`target.vendor: ${word}\` to the target file, or give --vendor ${word}`
}

export interface VendorWatch {
  /** What was seen by now, where it agrees on another word; null where it does not, or not yet. */
  other(): OtherVendor | null
}

export function createVendorWatch(target: Target, journal: readonly Exchange[]): VendorWatch {
  let isSettled = target.vendor !== undefined
  const seen: Seen[] = []
  let examined = 0
  return {
    other() {
      if (isSettled) return null
      seen.push(...journal.slice(examined).flatMap(seenIn))
      examined = journal.length
      const other = agreedOn(seen, target)
      isSettled = other === 'settled'
      return other === 'settled' ? null : other
    },
  }
}
