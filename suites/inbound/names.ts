/** Names of a zone whose addresses the run decides, and how often each was looked up. */
import { isIPv4 } from 'node:net'

/** A question of the Domain Name System that has an address as its answer. */
export type AddressType = 'A' | 'AAAA'

export const isAddressType = (type: string): type is AddressType => type === 'A' || type === 'AAAA'

export interface Name {
  /** The whole name, in small letters. */
  readonly host: string
  /** From now on it leads to this address. */
  lead(address: string): void
  /**
   * From now on the look-ups of each type are answered in turns: the first one with the first address, the second one
   * with the second, and so on from the beginning.
   */
  alternate(addresses: readonly [string, string]): void
  /** How often this address was the answer. */
  answered(address: string): number
}

/** What a zone knows of a name: nothing, or the addresses of a type, of which there may be none. */
export type NameLookup = 'no-name' | readonly string[]

export interface NameTable {
  readonly zone: string
  /** A name under the zone; it leads nowhere yet. */
  name(label: string): Name
  /** The addresses of a name. Of any other type there is nothing, and it counts as no look-up. */
  find(host: string, type: string): NameLookup
  /** Whether a name is the zone itself or below it. */
  holds(host: string): boolean
}

export function createNames(zone: string): NameTable {
  const apex = zone.toLowerCase()
  const known = new Map<string, (type: AddressType) => readonly string[]>()
  return {
    zone: apex,
    name(label) {
      const host = `${label}.${apex}`.toLowerCase()
      const { name, answer } = createName(host)
      known.set(host, answer)
      return name
    },
    find(host, type) {
      const answer = known.get(host.toLowerCase())
      if (answer) return isAddressType(type) ? answer(type) : []
      return host.toLowerCase() === apex ? [] : 'no-name'
    },
    holds: (host) => `.${host.toLowerCase()}`.endsWith(`.${apex}`),
  }
}

function createName(host: string) {
  let turns: readonly string[] = []
  let asked = { A: 0, AAAA: 0 }
  const counts = new Map<string, number>()
  const name: Name = {
    host,
    lead: (address) => void (turns = [address]),
    alternate(addresses) {
      turns = addresses
      asked = { A: 0, AAAA: 0 }
    },
    answered: (address) => counts.get(address) ?? 0,
  }
  /** Each type has turns of its own, since a client asks for both at a time. */
  const answer = (type: AddressType): readonly string[] => {
    const address = turns[asked[type]++ % turns.length]
    if (address === undefined || isIPv4(address) !== (type === 'A')) return []
    counts.set(address, (counts.get(address) ?? 0) + 1)
    return [address]
  }
  return { name, answer }
}
