/**
 * Opens the connections of deliveries. The guard stands in the connector because a check that comes earlier resolves a
 * name by itself, and the connection may then get another answer; and not in `lookup` alone, since no address that is
 * written in a URL is ever looked up.
 */
import type { GuardPolicy } from '../../rules/webhooks.ts'
import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { plainName, hostProblem, isLocalhost, reachProblem, nameServerOf } from './addresses.ts'
import { askServer, type Resolve } from './guard.ts'

/** The guard did not let a connection out; the message says why. */
export class Blocked extends Error {}

export type { Resolve } from './guard.ts'

/** Asks the machine's own resolver, hosts file and all. */
export const askMachine: Resolve = (name, answer) =>
  lookUp(name, { all: true }, (error, found) => answer(error, found?.map(({ address }) => address) ?? []))

function resolveUnder(policy: GuardPolicy, resolve: Resolve): Resolve {
  return (name, answer) => {
    const known = Object.hasOwn(policy.names, plainName(name)) ? policy.names[plainName(name)] : undefined
    const server = nameServerOf(name, policy)
    if (known) answer(null, known)
    // Not every machine has it in a hosts file, and no resolver has a say in it.
    else if (isLocalhost(name)) answer(null, ['127.0.0.1', '::1'])
    else if (server !== undefined) askServer(server, name, answer)
    else resolve(name, answer)
  }
}

/** One blocked address among the answers is enough: which of them is tried is not ours to say. */
function resolvedProblem(name: string, addresses: readonly string[], policy: GuardPolicy): string | null {
  const problem = addresses
    .map((address) => reachProblem(name, address, policy))
    .find((said) => said !== null)
  return problem === undefined || !policy.checks.resolved
    ? null
    : `${name} resolves to a blocked address: ${problem}`
}

/** For `net.connect`, which asks for one address or for all of them. */
function guardedLookup(policy: GuardPolicy, resolve: Resolve): LookupFunction {
  const find = resolveUnder(policy, resolve)
  const findAllowed: Resolve = (name, answer) =>
    find(name, (error, addresses) => {
      const problem = error ? null : resolvedProblem(name, addresses, policy)
      if (error) answer(error, [])
      else if (problem !== null) answer(new Blocked(problem), [])
      else if (policy.checks.sameLookUp === false) find(name, answer)
      else answer(null, addresses)
    })
  return (name, options, callback) => {
    const fail = (error: Error): void => callback(error, '')
    const answered: Parameters<Resolve>[1] = (error, addresses) => {
      if (error) return fail(error)
      if (addresses.length === 0) return fail(new Error(`${name} has no address`))
      const answers = addresses.map((address): LookupAddress => ({ address, family: isIP(address) }))
      const [first] = answers.filter(({ family }) => isWanted(options.family, family))
      if (options.all) callback(null, answers)
      else if (first) callback(null, first.address, first.family)
      else fail(new Error(`${name} has no address`))
    }
    // In the same call `tls.connect` would go on with a socket that has failed already, where there is no route to it.
    findAllowed(name, (error, addresses) => process.nextTick(answered, error, addresses))
  }
}

function isWanted(wanted: number | string | undefined, family: number): boolean {
  return wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`
}

/** The other side hung up before anybody could see where the connection leads. */
function alreadyGone(): Error {
  return Object.assign(new Error('the connection is gone'), { code: 'ECONNRESET' })
}

/**
 * After so long the next address of a host is tried. With the quarter of a second that Node gives each, a process that is
 * busy when the connection is there never sees it.
 */
const addressMs = 3_000

/** A connector for an undici dispatcher. Its errors are Blocked where the guard held a connection back. */
export function guardedConnector(
  build: typeof buildConnector,
  policy: GuardPolicy,
  resolve: Resolve,
): buildConnector.connector {
  const open = build({
    allowH2: false,
    lookup: guardedLookup(policy, resolve),
    autoSelectFamilyAttemptTimeout: addressMs,
  })
  return ({ servername: _ofHostHeader, ...options }, callback) => {
    const { hostname } = options
    const problem = hostProblem(hostname, policy)
    if (problem !== null) return callback(new Blocked(problem), null)
    // The certificate is checked for the host of the URL: a `Host` header among the custom ones has no say in it.
    const servername = isIP(hostname) === 0 ? { servername: hostname } : {}
    open({ ...options, ...servername }, (error, socket) => {
      if (error) return callback(error, null)
      const { remoteAddress: address } = socket
      const reached =
        policy.checks.connected && address !== undefined ? reachProblem(hostname, address, policy) : null
      if (address !== undefined && reached === null) return callback(null, socket)
      socket.destroy()
      callback(reached === null ? alreadyGone() : new Blocked(reached), null)
    })
  }
}
