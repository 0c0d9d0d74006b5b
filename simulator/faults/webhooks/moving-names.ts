/**
 * Names that are moved once their webhook was made, or between two look-ups for one delivery. Endpoints at names of the
 * run are taken over plain HTTP too, since no certificate is for them: otherwise a handshake is all that shows.
 */
import type { Rules } from '../../rules.ts'
import { nameServerOf } from '../../webhooks/guard/zones.ts'
import { endpointProblem } from '../../webhooks/guard/endpoint.ts'
import type { GuardPolicy } from '../../webhooks/guard/guard.ts'
import { bareHost, reachProblem } from '../../webhooks/guard/hosts.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { withFieldRule } from '../../modification/webhook-changes.ts'

/** What is wrong with an endpoint, with another judge for names that a name server of the run is asked for. */
const namesJudged = ({ guard }: Rules) =>
  withFieldRule('endpoint-allowed', ({ endpoint_url: url }, { rules }) => {
    if (typeof url !== 'string') return null
    const host = bareHost(URL.parse(url)?.hostname ?? '')
    if (nameServerOf(host, rules.guard) !== undefined) return null
    const known = Object.hasOwn(guard.names, host) ? (guard.names[host] ?? []) : []
    return endpointProblem(url, guard) ?? problemOf(host, known, guard)
  })

/** As far as a service knows where a name leads without a look-up. */
const problemOf = (host: string, addresses: readonly string[], guard: GuardPolicy): string | null =>
  addresses.map((address) => reachProblem(host, address, guard)).find((problem) => problem !== null) ?? null

const withChecks = ({ guard }: Rules, checks: Partial<GuardPolicy['checks']>): { guard: GuardPolicy } => ({
  guard: { ...guard, checks: { ...guard.checks, https: false, ...checks } },
})

export const movingNameFaults = {
  'moved-name-let-through': fault({
    title: 'Where a name leads is looked at when its webhook is made, and never again.',
    breaks: ['TGT-RESOLVED'],
    rules: (rules, of) => ({
      ...withChecks(rules, { resolved: false, connected: false }),
      ...namesJudged(rules)(rules, of),
    }),
  }),
  'name-looked-up-twice': fault({
    title: 'Where a name leads is looked at before each delivery, and the connection looks it up once more.',
    breaks: ['TGT-RESOLVED'],
    rules: (rules, of) => ({
      ...withChecks(rules, { sameLookUp: false, connected: false }),
      ...namesJudged(rules)(rules, of),
    }),
  }),
} as const satisfies Record<string, Fault>
