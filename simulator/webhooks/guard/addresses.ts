/** Which addresses no delivery may go to: those that are not of the public internet. */
import type { GuardPolicy, WebhookInterpretations, WebhookRules } from '../../rules/webhooks.ts'
import { BlockList, isIP } from 'node:net'
import { remembered } from '../../tenant/book.ts'

/** What a laboratory lets through the guard on purpose: addresses, networks and names of hosts. */
type Family = 'ipv4' | 'ipv6'

interface Allowed {
  readonly names: ReadonlySet<string>
  readonly addresses: Readonly<Record<Family, BlockList>>
}

const prefixMost = { ipv4: 32, ipv6: 128 } as const
const compiled = new WeakMap<GuardPolicy['allow'], Allowed>()

/** Undefined where it is no address; a zone id and brackets make it none. */
function familyOf(address: string): Family | undefined {
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
  return { names, addresses }
}

const allowedBy = ({ allow }: GuardPolicy): Allowed => remembered(compiled, allow, () => readAllowed(allow))

function isPrefix(prefix: string | undefined, family: Family): boolean {
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMost[family])
}

function allowsAddress(address: string, policy: GuardPolicy): boolean {
  const family = familyOf(address)
  return family !== undefined && allowedBy(policy).addresses[family].check(address, family)
}

interface Range {
  readonly what: string
  readonly list: BlockList
}

type Row = readonly [network: string, prefix: number, what: string]

const ranges = (family: Family, ...rows: readonly Row[]): readonly Range[] =>
  rows.map(([network, prefix, what]) => {
    const list = new BlockList()
    list.addSubnet(network, prefix, family)
    return { what, list }
  })

// One table per family: a BlockList with both takes each IPv4 address for an IPv4-mapped one, and blocks it for `::/8`.
const ipv4 = ranges(
  'ipv4',
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
)

const ipv6 = ranges(
  'ipv6',
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
)

// A public IPv4 address inside is no excuse: it can be written as what it is.
const embedding = ranges(
  'ipv6',
  ['::ffff:0:0', 96, 'an IPv4-mapped address'],
  ['::ffff:0:0:0', 96, 'an IPv4-translated address'],
  ['64:ff9b::', 96, 'a NAT64 address'],
  ['64:ff9b:1::', 48, 'a local NAT64 address'],
  ['2002::', 16, 'a 6to4 address'],
  ['2001::', 32, 'a Teredo address'],
  // Teredo's neighbours, and IPv4-compatible and ISATAP addresses.
  ['2001::', 23, 'kept for protocols'],
  ['::', 8, 'reserved, with room for an IPv4 address'],
)

const loopback = {
  ipv4: ranges('ipv4', ['127.0.0.0', 8, 'loopback']),
  ipv6: ranges('ipv6', ['::1', 128, 'loopback']),
}

/** Of both families; never an address that carries a loopback one. */
export function isLoopback(address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && loopback[family].some(({ list }) => list.check(address, family))
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

/** An IPv6 host without the brackets that a URL puts around it. */
function bareHost(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

/**
 * The contract excepts the name `localhost`. Its relatives, `localhost.` and `anything.localhost`, mean this machine
 * too by convention, but not every resolver knows them: they are no way in, and are blocked.
 */
export function isLocalhost(host: string): boolean {
  return host === 'localhost'
}

function allowsHost(host: string, policy: GuardPolicy): boolean {
  const bare = bareHost(host)
  return familyOf(bare) === undefined
    ? allowedBy(policy).names.has(plainName(bare))
    : allowsAddress(bare, policy)
}

/** Says why a host is blocked as it is written; null where only its addresses can decide. */
export function hostProblem(host: string, policy: GuardPolicy): string | null {
  const bare = bareHost(host)
  if (!policy.checks.literal || allowsHost(bare, policy)) return null
  if (familyOf(bare) !== undefined) return addressProblem(bare, policy)
  if (isLocalhost(bare))
    return policy.development ? null : 'localhost is let through in development only; give a public host.'
  if (/(^|\.)localhost\.?$/.test(bare))
    return `${bare} is another name of this machine; give a public host, or localhost in development.`
  return null
}

/** Says why this host may not lead to this address; null where it may. */
export function reachProblem(host: string, address: string, policy: GuardPolicy): string | null {
  const bare = bareHost(host)
  if (allowsHost(bare, policy)) return null
  if (!isLocalhost(bare) || !policy.development) return addressProblem(address, policy)
  return isLoopback(address) ? null : `localhost leads to ${address}, which is not a loopback address.`
}

/** Characters of a value that is repeated in words. */
const shownMost = 200
const example = 'https://example.com/hooks'

function takesPlainHttp(host: string, policy: GuardPolicy): boolean {
  return (
    policy.checks.https === false || (isLocalhost(host) && policy.development) || allowsHost(host, policy)
  )
}

function schemeProblem(url: URL, policy: GuardPolicy): string | null {
  if (url.protocol === 'https:') return null
  const scheme = JSON.stringify(url.protocol.slice(0, -1))
  if (url.protocol !== 'http:') return `The scheme is ${scheme}; give an https URL such as ${example}.`
  if (takesPlainHttp(url.hostname, policy)) return null
  if (!policy.development) return `The scheme of ${url.hostname} is ${scheme}; give an https URL.`
  const local = `http://localhost${url.port === '' ? '' : `:${url.port}`}${url.pathname}`
  const write = isLoopback(bareHost(url.hostname)) ? `write ${local}, or ` : ''
  return `http is allowed for localhost only: ${write}give an https URL.`
}

/** Says what is wrong with the URL of an endpoint whatever its host is; null where nothing is. */
function formProblem(url: URL, policy: GuardPolicy): string | null {
  const scheme = schemeProblem(url, policy)
  if (scheme !== null) return scheme
  // The words leave the value out: it holds a password.
  if (url.username !== '' || url.password !== '')
    return `The URL names a user of ${url.hostname}; leave user and password out and give a custom header instead.`
  if (url.port === '0') return `Port 0 of ${url.hostname} cannot be connected to; give one from 1 to 65535.`
  return null
}

/**
 * Says what is wrong with an endpoint and what to give instead; null where nothing is. Every notation of an address is
 * judged as the address that it is, since the URL parser has already read it. With `blocksAt` delivery, a blocked host
 * is none of its business.
 */
export function endpointProblem(
  value: string,
  policy: GuardPolicy,
  blocksAt: 'creation' | 'delivery' = 'creation',
): string | null {
  const url = URL.parse(value)
  if (!url)
    return `${JSON.stringify(value.slice(0, shownMost))} is not an absolute URL; give one such as ${example}.`
  return formProblem(url, policy) ?? (blocksAt === 'creation' ? hostProblem(url.hostname, policy) : null)
}

/** The name server of the longest zone that a name is in. */
export function nameServerOf(name: string, { zones = {} }: Pick<GuardPolicy, 'zones'>): string | undefined {
  const inside = Object.keys(zones).filter((zone) => `.${plainName(name)}`.endsWith(`.${zone}`))
  const [longest] = inside.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? undefined : zones[longest]
}

/** What the rules of the guard of webhooks say: where the contract leaves nothing open, and under each interpretation of a gap. */
const guard: GuardPolicy = {
  development: true,
  allow: [],
  // Names to try the guard with; `.example` is nobody's.
  names: { 'private.example': ['10.0.0.1'], 'loopback.example': ['127.0.0.1'] },
  checks: { literal: true, resolved: true, connected: true, embedded: true, https: true },
}

export const guardBase = { guard } satisfies Partial<WebhookRules>

export const guardInterpretations = {
  'GAP-BLOCKED-WHEN': { creation: { blocksAt: 'creation' }, delivery: { blocksAt: 'delivery' } },
  'GAP-DEVELOPMENT': { always: { guard }, never: { guard: { ...guard, development: false } } },
} satisfies Partial<WebhookInterpretations>

export interface Targets {
  /** Let through all the same: addresses, networks such as `10.1.0.0/16`, names of hosts. These need no HTTPS. */
  readonly allow?: readonly string[]
  /** Addresses of names, asked before the machine's own resolver. */
  readonly names?: Readonly<Record<string, readonly string[]>>
  /** Zones with the name server, such as `127.0.0.1:5300`, that is asked for names in them. */
  readonly zones?: Readonly<Record<string, string>>
}

/**
 * Throws a RangeError on an entry that cannot be let through, on a name that no host has, and on a name server that is
 * no address with a port.
 */
export function withTargets(
  policy: GuardPolicy,
  { allow = [], names = {}, zones = {} }: Targets,
): GuardPolicy {
  const known = Object.entries(names).map(([name, addresses]) => [spelled(name), addresses] as const)
  const asked = Object.entries(zones).map(([zone, server]) => [spelled(zone), nameServer(server)] as const)
  const all = {
    ...policy,
    allow: [...policy.allow, ...allow],
    names: { ...policy.names, ...Object.fromEntries(known) },
    zones: { ...policy.zones, ...Object.fromEntries(asked) },
  }
  readAllowed(all.allow)
  return all
}

function nameServer(address: string): string {
  const [, host = '', port] = /^\[?([^\]]*)\]?:(\d{1,5})$/.exec(address) ?? []
  if (isIP(host) !== 0 && Number(port) > 0 && Number(port) < 65_536) return address
  throw new RangeError(
    `${JSON.stringify(address)} cannot be asked for names; give an IP address and a port, such as 127.0.0.1:5300.`,
  )
}

function spelled(name: string): string {
  const host = hostName(name)
  if (host !== undefined) return host
  throw new RangeError(`${JSON.stringify(name)} cannot have addresses; give the name of a host.`)
}
