/** Which addresses no delivery may go to: those that are not of the public internet. */
import { BlockList } from 'node:net'
import { allowsAddress, familyOf } from './allowed.ts'
import type { GuardPolicy } from './guard.ts'

interface Range {
  readonly what: string
  readonly list: BlockList
}

function range(family: 'ipv4' | 'ipv6', network: string, prefix: number, what: string): Range {
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  return { what, list }
}

// One table per family: a BlockList with both takes each IPv4 address for an IPv4-mapped one, and blocks it for `::/8`.
const ipv4 = (
  [
    ['0.0.0.0', 8, 'of this network'],
    ['10.0.0.0', 8, 'private'],
    ['100.64.0.0', 10, 'shared behind a carrier'],
    ['127.0.0.0', 8, 'a loopback address'],
    // The host's own service for virtual machines of a cloud, though the address is a public one.
    ['168.63.129.16', 32, 'a metadata service'],
    ['169.254.0.0', 16, 'link-local'],
    ['172.16.0.0', 12, 'private'],
    ['192.0.0.0', 24, 'kept for protocols'],
    ['192.0.2.0', 24, 'for documentation'],
    ['192.88.99.0', 24, 'a 6to4 relay'],
    ['192.168.0.0', 16, 'private'],
    ['198.18.0.0', 15, 'for benchmarks'],
    ['198.51.100.0', 24, 'for documentation'],
    ['203.0.113.0', 24, 'for documentation'],
    ['224.0.0.0', 4, 'multicast'],
    ['240.0.0.0', 4, 'reserved'],
  ] as const
).map(([network, prefix, what]) => range('ipv4', network, prefix, what))

const ipv6 = (
  [
    ['::', 128, 'unspecified'],
    ['::1', 128, 'a loopback address'],
    ['100::', 64, 'for discarding'],
    ['2001:2::', 48, 'for benchmarks'],
    ['2001:10::', 28, 'kept for protocols'],
    ['2001:20::', 28, 'kept for protocols'],
    ['2001:db8::', 32, 'for documentation'],
    ['3fff::', 20, 'for documentation'],
    ['5f00::', 16, 'for segment routing'],
    ['fc00::', 7, 'unique local'],
    ['fe80::', 10, 'link-local'],
    ['fec0::', 10, 'site-local'],
    ['ff00::', 8, 'multicast'],
    // What is left outside 2000::/3, apart from `::/8`: nobody has been given an address there.
    ['100::', 8, 'not assigned'],
    ['200::', 7, 'not assigned'],
    ['400::', 6, 'not assigned'],
    ['800::', 5, 'not assigned'],
    ['1000::', 4, 'not assigned'],
    ['4000::', 2, 'not assigned'],
    ['8000::', 1, 'not assigned'],
  ] as const
).map(([network, prefix, what]) => range('ipv6', network, prefix, what))

// A public IPv4 address inside is no excuse: it can be written as what it is.
const embedding = (
  [
    ['::ffff:0:0', 96, 'an IPv4-mapped address'],
    ['::ffff:0:0:0', 96, 'an IPv4-translated address'],
    ['64:ff9b::', 96, 'a NAT64 address'],
    ['64:ff9b:1::', 48, 'a local NAT64 address'],
    ['2002::', 16, 'a 6to4 address'],
    ['2001::', 32, 'a Teredo address'],
    // Teredo's neighbours, and IPv4-compatible and ISATAP addresses.
    ['2001::', 23, 'kept for protocols'],
    ['::', 8, 'reserved, with room for an IPv4 address'],
  ] as const
).map(([network, prefix, what]) => range('ipv6', network, prefix, what))

const loopback = {
  ipv4: range('ipv4', '127.0.0.0', 8, 'loopback').list,
  ipv6: range('ipv6', '::1', 128, 'loopback').list,
}

/** Of both families; never an address that carries a loopback one. */
export function isLoopback(address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && loopback[family].check(address, family)
}

/** Says why an address is blocked; null where it is not. What is no address is blocked, so that nothing slips by. */
export function addressProblem(address: string, policy: GuardPolicy): string | null {
  const family = familyOf(address)
  if (family === undefined)
    return `${JSON.stringify(address)} is not an IP address; give one without zone and brackets.`
  if (allowsAddress(address, policy)) return null
  const special = family === 'ipv4' ? ipv4 : policy.checks.embedded ? [...ipv6, ...embedding] : ipv6
  const found = special.find(({ list }) => list.check(address, family))
  return found ? `${address} is ${found.what}; give a target on the public internet.` : null
}
