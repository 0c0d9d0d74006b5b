/** Hosts that no delivery may reach, as part of an endpoint, and which of them lead to this machine. */
import { networkInterfaces } from 'node:os'

export type HostKind = 'private' | 'internal' | 'spelled'

interface Host {
  kind: HostKind
  /** As it is written in a URL. */
  host: string
}

const of = (kind: HostKind, ...hosts: readonly string[]): readonly Host[] =>
  hosts.map((host) => ({ kind, host }))

/** Only submitted, never sent to. Each notation stands for 10.0.0.1 or 169.254.169.254. */
export const foreign: readonly Host[] = [
  ...of('private', '10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1'),
  ...of('internal', '169.254.169.254', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]'),
  ...of('spelled', '167772161', '0x0a000001', '012.0.0.1', '10.1', '10.0.0.1.', '１０.０.０.１'),
  ...of('spelled', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '2852039166', '[::ffff:a9fe:a9fe]'),
]

/** Ranges that the contract may or may not mean; recorded, never judged. */
export const doubtful: readonly string[] = ['0.0.0.0', '100.64.0.1', '[64:ff9b::a00:1]']

export interface BlockedAddress {
  /** `excused`: the loopback, which a service in development may deliver to. */
  list: HostKind | 'excused'
  host: string
  address: string
  /** Over HTTPS, so that only the host is invalid; a delivery shows by its handshake alone. */
  isSecure?: true
}

/** Of what development excuses, and so is only recorded. */
const mostExcused = 3

/** The loopback, which counts only if the target is not in development, and own addresses, which always count. */
export function blockedAddressesHere(
  { development }: { development: boolean },
  interfaces: Interfaces = networkInterfaces(),
): readonly BlockedAddress[] {
  const byLoopback = loopback
    .slice(0, development ? mostExcused : undefined)
    .map(({ kind, host }): BlockedAddress => {
      return { list: development ? 'excused' : kind, host, address: host === '[::1]' ? '::1' : '127.0.0.1' }
    })
  // Not every machine supports IPv6, and a listener that fails would end the scenario.
  const isHere = ({ address }: BlockedAddress): boolean =>
    address !== '::1' || addressesOf(interfaces).includes('::1')
  const plain = [...ownBlockedAddresses(interfaces), ...byLoopback.filter(isHere)]
  const secured = plain.filter(({ list }) => list === 'private' || list === 'internal')
  return [...plain, ...secured.map((way) => ({ ...way, isSecure: true }) as const)]
}

export const mostBlockedAddresses = 21

export function publicAddressHere(
  interfaces: Interfaces = networkInterfaces(),
): Pick<BlockedAddress, 'host' | 'address'> | null {
  const address = addressesOf(interfaces).find(isPublic)
  return address === undefined ? null : { host: address.includes(':') ? `[${address}]` : address, address }
}

/** For IPv6 the global range without documentation and tunnels, for IPv4 everything outside the special ranges. */
function isPublic(address: string): boolean {
  if (address.includes(':')) return /^2(?!001:(?:0?db8|0{0,4}):|002:)[0-9a-f]{3}:/i.test(address)
  const special =
    /^(?:0|10|127|22[4-9]|2[3-5]\d|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|198\.1[89]|192\.0\.[02]|198\.51\.100|203\.0\.113)\./
  return !special.test(address)
}

const loopback: readonly Host[] = [
  ...of('internal', '127.0.0.1', '[::1]'),
  ...of('spelled', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '１２７.０.０.１'),
  ...of('spelled', '[::ffff:7f00:1]'),
]

type Interfaces = Readonly<Record<string, readonly { address: string }[] | undefined>>

/** Addresses of this machine, if any, that no delivery may reach, in development either. */
export function ownBlockedAddresses(interfaces: Interfaces = networkInterfaces()): readonly BlockedAddress[] {
  const addresses = addressesOf(interfaces)
  // One of each range: a service may know one and miss another.
  const [four, ...others] = privateFour.flatMap((range) => addresses.find((one) => range.test(one)) ?? [])
  const six = addresses.find((address) => uniqueLocal.test(address))
  return [
    ...(four === undefined ? [] : waysTo(four, 'private', four, numberOf(four), `[::ffff:${four}]`)),
    ...others.flatMap((other) => waysTo(other, 'private', other)),
    ...(six === undefined ? [] : waysTo(six, 'internal', `[${six}]`, `[${writtenOut(six)}]`)),
  ]
}

function addressesOf(interfaces: Interfaces): readonly string[] {
  return Object.values(interfaces).flatMap((list) => (list ?? []).map(({ address }) => address))
}

function waysTo(
  address: string,
  list: HostKind,
  host: string,
  ...alternatives: readonly string[]
): readonly BlockedAddress[] {
  return [
    { list, host, address },
    ...alternatives.map((other) => ({ list: 'spelled', host: other, address }) as const),
  ]
}

const privateFour = [/^10\./, /^192\.168\./, /^172\.(?:1[6-9]|2\d|3[01])\./]
const uniqueLocal = /^f[cd][0-9a-f]{2}:/i

function numberOf(four: string): string {
  return String(four.split('.').reduce((sum, part) => sum * 256 + Number(part), 0))
}

function writtenOut(six: string): string {
  const [head = '', tail] = six.split('::')
  const groups = (part: string): readonly string[] => part.split(':').filter((group) => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0').toUpperCase()).join(':')
}
