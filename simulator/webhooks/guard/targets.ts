import { isIP } from 'node:net'
import type { GuardPolicy, WebhookInterpretations, WebhookRules } from '../../rules/webhooks.ts'
import { hostName, readAllowed } from './addresses.ts'

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
