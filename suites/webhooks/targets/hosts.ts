/** Hosts that no delivery may reach, as text for an endpoint, and which of them lead to this machine. */
import { networkInterfaces } from 'node:os'

export type Kind = 'private' | 'internal' | 'spelled'

interface Host {
  kind: Kind
  /** As it stands in a URL. */
  host: string
}

const of = (kind: Kind, ...hosts: readonly string[]): readonly Host[] => hosts.map((host) => ({ kind, host }))

/** Nothing is sent to these: they are only offered. Each of the spelt ones is 10.0.0.1 or 169.254.169.254. */
export const foreign: readonly Host[] = [
  ...of('private', '10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1'),
  ...of('internal', '169.254.169.254', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]'),
  ...of('spelled', '167772161', '0x0a000001', '012.0.0.1', '10.1', '10.0.0.1.', '１０.０.０.１'),
  ...of('spelled', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '2852039166', '[::ffff:a9fe:a9fe]'),
]

/** Ranges of which no sentence of the contract is certain to speak; recorded, never judged. */
export const doubtful: readonly string[] = [
  '0.0.0.0',
  '100.64.0.1',
  '[::]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::1]',
  '[2001:0:a00:1::1]',
]

/** A way to this machine by which nothing may be delivered. */
export interface Way {
  /** `excused`: it is the loopback, which is no forbidden way to a service in development. */
  list: Kind | 'excused'
  host: string
  /** Where we have to listen to see what comes by it. */
  address: string
  /** Over HTTPS, so that nothing but the host is amiss; what comes shows by its handshake alone. */
  isSecure?: true
}

/** The loopback, which counts only where the target is not in development, and own addresses, which always do. */
export function waysHere(
  { development }: { development: boolean },
  interfaces: Interfaces = networkInterfaces(),
): readonly Way[] {
  const byLoopback = loopback.map(({ kind, host }): Way => {
    return { list: development ? 'excused' : kind, host, address: host === '[::1]' ? '::1' : '127.0.0.1' }
  })
  // Not every machine speaks IPv6, and a place that cannot be opened would end the scenario.
  const isHere = ({ address }: Way): boolean => address !== '::1' || addressesOf(interfaces).includes('::1')
  const plain = [...ownWays(interfaces), ...byLoopback.filter(isHere)]
  const secured = plain.filter(({ list }) => list === 'private' || list === 'internal')
  return [...plain, ...secured.map((way) => ({ ...way, isSecure: true }) as const)]
}

/** The most that there are. */
export const waysMost = 21

/** A way to a public address of this machine, if it has one. */
export function publicWay(
  interfaces: Interfaces = networkInterfaces(),
): Pick<Way, 'host' | 'address'> | null {
  const address = addressesOf(interfaces).find(isPublic)
  return address === undefined ? null : { host: address.includes(':') ? `[${address}]` : address, address }
}

/** Of IPv6 what is given out to anybody but for documentation and for tunnels, of IPv4 what no list of special ones has. */
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

/** Addresses of this machine, if it has any, that no delivery may reach in development either. */
export function ownWays(interfaces: Interfaces = networkInterfaces()): readonly Way[] {
  const addresses = addressesOf(interfaces)
  // One of each range: a service may know one and forget another.
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

function waysTo(address: string, list: Kind, host: string, ...spelt: readonly string[]): readonly Way[] {
  return [
    { list, host, address },
    ...spelt.map((other) => ({ list: 'spelled', host: other, address }) as const),
  ]
}

const privateFour = [/^10\./, /^192\.168\./, /^172\.(?:1[6-9]|2\d|3[01])\./]
const uniqueLocal = /^f[cd][0-9a-f]{2}:/i

/** An IPv4 address as one number. */
function numberOf(four: string): string {
  return String(four.split('.').reduce((sum, part) => sum * 256 + Number(part), 0))
}

/** An IPv6 address with all its zeros, in capital letters. */
function writtenOut(six: string): string {
  const [head = '', tail] = six.split('::')
  const groups = (part: string): readonly string[] => part.split(':').filter((group) => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0').toUpperCase()).join(':')
}
