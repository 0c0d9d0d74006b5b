/** What a laboratory lets through the guard on purpose: addresses, networks and names of hosts. */
import { BlockList, isIP } from 'node:net'
import type { GuardPolicy } from './guard.ts'

type Family = 'ipv4' | 'ipv6'

interface Allowed {
  readonly names: ReadonlySet<string>
  readonly addresses: Readonly<Record<Family, BlockList>>
}

const prefixMost = { ipv4: 32, ipv6: 128 } as const
const compiled = new WeakMap<GuardPolicy['allow'], Allowed>()

/** Undefined where it is no address; a zone id and brackets make it none. */
export function familyOf(address: string): Family | undefined {
  const version = isIP(address)
  // With a zone it is an address to isIP, and to a BlockList one that is in no range.
  if (version === 0 || address.includes('%')) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}

/** A name as it is looked up: small letters, no dot at its end. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/**
 * A name in the form of a URL host, including letters beyond ASCII; undefined where no URL has such a host, or has an
 * address instead: what could never match is a mistake.
 */
export function hostName(entry: string): string | undefined {
  const host = /^[^\s:@/\\?#[\]%*]+$/.test(entry) ? URL.parse(`https://${entry}/`)?.hostname : undefined
  return host === undefined || familyOf(host) !== undefined ? undefined : plainName(host)
}

/** Throws a RangeError on an entry that is none of the three. */
export function readAllowed(entries: GuardPolicy['allow']): Allowed {
  const known = compiled.get(entries)
  if (known) return known
  const names = new Set<string>()
  // Lists of their own: one list for both families takes every IPv4 address for an IPv4-mapped one.
  const addresses = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entries) {
    const [network = '', prefix, ...rest] = entry.split('/')
    const family = familyOf(network)
    const name = family === undefined ? hostName(entry) : undefined
    if (name !== undefined) names.add(name)
    else if (family !== undefined && rest.length === 0 && isPrefix(prefix, family))
      addresses[family].addSubnet(network, Number(prefix ?? prefixMost[family]), family)
    else
      throw new RangeError(
        `${JSON.stringify(entry)} cannot be let through; give an address, a network such as 10.1.0.0/16, or the name of a host.`,
      )
  }
  const allowed = { names, addresses }
  compiled.set(entries, allowed)
  return allowed
}

function isPrefix(prefix: string | undefined, family: Family): boolean {
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMost[family])
}

export function allowsName(name: string, policy: GuardPolicy): boolean {
  return readAllowed(policy.allow).names.has(plainName(name))
}

export function allowsAddress(address: string, policy: GuardPolicy): boolean {
  const family = familyOf(address)
  return family !== undefined && readAllowed(policy.allow).addresses[family].check(address, family)
}
