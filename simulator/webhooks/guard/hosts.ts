/** Hosts as they are written in a URL, and the addresses that each may lead to. */
import { addressProblem, isLoopback } from './addresses.ts'
import { allowsAddress, allowsName, familyOf } from './allowed.ts'
import type { GuardPolicy } from './guard.ts'

/** An IPv6 host without the brackets that a URL puts around it. */
export function bareHost(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

/**
 * The contract excepts the name `localhost`. Its relatives, `localhost.` and `anything.localhost`, mean this machine
 * too by convention, but not every resolver knows them: they are no way in, and are blocked.
 */
export function isLocalhost(host: string): boolean {
  return host === 'localhost'
}

export function allowsHost(host: string, policy: GuardPolicy): boolean {
  const bare = bareHost(host)
  return familyOf(bare) === undefined ? allowsName(bare, policy) : allowsAddress(bare, policy)
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
