/** Checks the URL of an endpoint, before its host is resolved. */
import type { GuardPolicy } from './guard.ts'
import { allowsHost, hostProblem, isLocalhost } from './hosts.ts'

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
  const apart = policy.development ? '; only localhost may do without' : ''
  return `The scheme of ${url.hostname} is "http"; give an https URL${apart}.`
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
