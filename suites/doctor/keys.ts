/** What the answer to a free request says of a key and of an agent. Pure; a contract without an order of checks is borne in mind. */
import { ordinary } from '../runner/states/settings.ts'
import type { Principal, Target } from '../config/target.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'
import type { RunContext } from '../runner/run-context.ts'
import { readRequest } from '../runner/requests/execution-request.ts'
import { discoveredIn } from '../operations/assertions/pointers/pointer-discovery.ts'
import type { Exchange } from '../wire/exchange.ts'
import { plainSetting } from '../scenario/scenario.ts'
import { scopes, type Scope } from '../../spec/index.ts'

export interface Order {
  /** A request without a key is refused for that, though its body is wrong too. */
  keysFirst: boolean
  /** And one for an agent that there is not. */
  agentsFirst: boolean
}

export interface KeyResponse {
  status: number | null
  failure: string
}

interface Case {
  principal: Principal
  target: Target
  agent: string
  order: Order
}

type Words = (about: string, one: Case) => DoctorResult

const unseen = 'a free request shows nothing of it, because the target looks at bodies first'

/** What a key that is good for a turn is answered; 400 is what a body without message and key has to get. */
const ofKey: Readonly<Record<number, Words>> = {
  200: (about) =>
    unknownSign(about, 'a body without message and key was answered 200; a run will judge that'),
  400: (about, { order }) =>
    order.keysFirst ? fine(about, 'the key is accepted') : unknownSign(about, unseen),
  401: (about) => wrong(about, `the key is refused with 401; give a valid one as ${about}.bearer`),
  402: (about, { principal, target }) =>
    isSpent(principal, target)
      ? fine(about, 'the key is accepted, and has no credits left')
      : wrong(about, 'no credits are left (402); add some, or declare it under states.credits.exhausted'),
  403: (about, { principal, agent, target }) =>
    isForeign(principal, target)
      ? fine(about, `the key is accepted, and may not call ${agent}`)
      : wrong(
          about,
          `the key may not chat with ${agent} (403); fix ${about}.scopes or ${about}.agents, or what the key may do`,
        ),
  404: (about, { principal, agent, target }) =>
    isForeign(principal, target)
      ? fine(about, `the key is accepted, and knows no ${agent}`)
      : wrong(about, `there is no agent ${agent} for it (404); fix ${agentPlace(agent, target, about)}`),
}

/** What a key is answered that was withdrawn, or that may not chat. */
const ofRevoked: Readonly<Record<number, Words>> = {
  401: (about) => fine(about, 'the key is refused, as one that is revoked'),
}
const ofNoChat: Readonly<Record<number, Words>> = {
  403: (about) => fine(about, 'the key is accepted, and may not chat'),
  401: (about) => wrong(about, `the key is refused with 401; give a valid one as ${about}.bearer`),
}

export function judgeKey({ status, failure }: KeyResponse, one: Case): DoctorResult {
  const { principal, order } = one
  const about = `principals.${principal.name}`
  const unwell = unwellSign(about, { status, failure })
  if (unwell) return unwell
  if (principal.revoked) {
    if (order.keysFirst && status !== 401)
      return wrong(about, `it is declared revoked, and is still valid (${status}); withdraw the key`)
    return ofRevoked[status ?? 0]?.(about, one) ?? unknownSign(about, unseen)
  }
  if (!principal.scopes.includes('chat'))
    return (
      ofNoChat[status ?? 0]?.(about, one) ??
      unknownSign(about, `${status} does not show that it may not chat`)
    )
  return ofKey[status ?? 0]?.(about, one) ?? unknownSign(about, `${status} says nothing of the key`)
}

export function judgeAgent(
  { status, failure }: KeyResponse,
  about: string,
  agent: string,
  order: Order,
): DoctorResult {
  const unwell = unwellSign(about, { status, failure })
  if (unwell) return unwell
  if (status === 404) return wrong(about, `there is no agent ${agent} (404); fix ${about}`)
  if (status === 403)
    return wrong(about, `the ordinary key may not call ${agent} (403); fix ${about}, or what the key may do`)
  if (status === 400 && order.agentsFirst) return fine(about, `${agent} is there`)
  return unknownSign(about, status === 400 ? unseen : `${status} says nothing of the agent`)
}

function unwellSign(about: string, { status, failure }: KeyResponse): DoctorResult | null {
  if (status === null)
    return missing(about, `no response (${failure}); check the target and run doctor again`)
  if (status === 429) return unknownSign(about, 'too many requests (429); wait a minute, and ask again')
  if (status >= 500) return missing(about, `the target answered ${status}; look at the target, and ask again`)
  return null
}

function isSpent({ name }: Principal, { states }: Target): boolean {
  const provision = states['credits.exhausted']
  return provision?.provide === 'fixture' && provision.principal === name
}

/** A key of another account sees none of our agents. */
function isForeign({ account, agents }: Principal, target: Target): boolean {
  return agents === '*' && account !== ordinary(target)?.account
}

function agentPlace(agent: string, { agents }: Target, about: string): string {
  return agent === agents.plain ? 'agents.plain' : `${about}.agents`
}

export async function lookAtOperations(
  target: Target,
  runContext: RunContext,
): Promise<readonly DoctorResult[]> {
  const self = ordinary(target)
  if (!self) return []
  const setting = plainSetting(target.agents.plain, self)
  const asked = readRequest('look', '/api/v1/operations', {}, setting, runContext.requestDefaults('doctor'))
  return judgeOperations(await runContext.wire.send(asked, { turns: 0 }), target)
}

const about = 'fixtures.operations'

export function judgeOperations(
  exchange: Exchange,
  { fixtures: { operations }, dialect }: Pick<Target, 'fixtures' | 'dialect'>,
): readonly DoctorResult[] {
  const { response, failure } = exchange
  if (!response)
    return [missing(about, `listing operations got no answer (${failure?.kind}: ${failure?.message})`)]
  if (response.status === 429)
    return [unknownSign(about, 'too many requests (429); wait a minute, and ask again')]
  if (response.status !== 200)
    return [wrong(about, `listing operations was answered ${response.status}; ${adviceOn(response.status)}`)]
  const known = operations.map(({ id }) => id)
  const listed = discoveredIn(exchange, dialect, known)?.map(({ id }) => id)
  if (!listed)
    return [wrong(about, 'the list of operations was not found in the answer; fix dialect.discovery')]
  const unlisted = operations.filter(({ id }) => !listed.includes(id))
  if (unlisted.length === 0) return [fine(about, 'each is in the list of the ordinary key')]
  return unlisted.map(({ name, id }) =>
    wrong(`${about}.${name}.id`, `${id} is not in the list of the ordinary key; fix it, or take it out`),
  )
}

function adviceOn(status: number): string {
  return status === 401
    ? 'the ordinary key is invalid: check its `bearer` under principals'
    : 'check what the ordinary key may do'
}

/** `usage` shows `billing_read` by its answer, `catalogue` shows `agent_design_read` by what is listed. */
export type ScopeQuestion = { is: 'usage'; as: Principal } | { is: 'catalogue'; as: Principal }

const pathOf = { usage: '/api/v1/billing/usage', catalogue: '/api/v1/operations' } as const
const inspection = 'agent_setup.inspect'

/** None of a scope that no key is said to have: then no scenario is about it. */
export function scopeQuestions(target: Target): readonly ScopeQuestion[] {
  const keys = target.principals.filter(({ revoked, sacrificial }) => !revoked && !sacrificial)
  const isStated = (scope: Scope): boolean => keys.some(({ scopes }) => scopes.includes(scope))
  // What a key of another account, or of one agent, has in its list may differ for more than its scopes.
  const alike = keys.filter(({ account, agents }) => agents === '*' && account === ordinary(target)?.account)
  return [
    ...(isStated('billing_read') ? keys.map((as) => ({ is: 'usage', as }) as const) : []),
    ...(isStated('agent_design_read') ? alike.map((as) => ({ is: 'catalogue', as }) as const) : []),
  ]
}

export async function lookAtScopes(
  asked: readonly ScopeQuestion[],
  target: Target,
  runContext: RunContext,
): Promise<readonly DoctorResult[]> {
  const answers = await Promise.all(
    asked.map(async ({ is, as }) => {
      const setting = plainSetting(target.agents.plain, as)
      const read = readRequest('look', pathOf[is], {}, setting, runContext.requestDefaults('doctor'))
      return { is, as, exchange: await runContext.wire.send(read, { turns: 0 }) }
    }),
  )
  const lists = answers.filter(({ is }) => is === 'catalogue')
  return [
    ...answers.filter(({ is }) => is === 'usage').map(({ as, exchange }) => judgeUsage(as, exchange)),
    ...judgeCatalogues(lists, target),
  ]
}

export const placeOfScopes = ({ name }: Principal): string => `principals.${name}.scopes`

export function judgeUsage(principal: Principal, exchange: Exchange): DoctorResult {
  const about = placeOfScopes(principal)
  const { response } = exchange
  const unwell = unwellSign(about, responseOf(exchange))
  if (unwell) return unwell
  if (response?.status !== 200 && response?.status !== 403)
    return unknownSign(
      about,
      `the usage was answered ${response?.status}, which says nothing of billing_read`,
    )
  return judgeHaving({
    principal,
    scope: 'billing_read',
    has: response.status === 200,
    seen: `the usage was answered ${response.status}`,
  })
}

/** An id that is in no list may be one that the target does not have. */
export function judgeCatalogues(
  answers: readonly { as: Principal; exchange: Exchange }[],
  { dialect }: Pick<Target, 'dialect'>,
): readonly DoctorResult[] {
  const lists = answers.flatMap(({ as, exchange }) => {
    const ids = exchange.response?.status === 200 ? discoveredIn(exchange, dialect, [inspection]) : null
    return ids ? [{ principal: as, has: ids.some(({ id }) => id === inspection) }] : []
  })
  if (!lists.some(({ has }) => has)) return []
  return lists.map((list) =>
    judgeHaving({
      ...list,
      scope: 'agent_design_read',
      seen: `${inspection} is ${list.has ? 'listed' : 'not listed'}`,
    }),
  )
}

interface Having {
  principal: Principal
  scope: Scope
  has: boolean
  seen: string
}

function judgeHaving({ principal, scope, has, seen }: Having): DoctorResult {
  const about = placeOfScopes(principal)
  const stated = principal.scopes.includes(scope)
  if (stated === has) return fine(about, `${seen}, ${stated ? 'with' : 'without'} ${scope}`)
  const own = principal.scopes.filter((one) => !scopes.some((known) => known === one))
  if (has && own.length > 0) return unknownSign(about, `${seen}, which ${own.join(' or ')} may allow`)
  return wrong(
    about,
    stated
      ? `${seen}, with ${scope}; take it out of ${about}, or give it to the key`
      : `${seen}, without ${scope}; add it to ${about} if the key has it, or else fix the target`,
  )
}

export function responseOf({ response, failure }: Exchange): KeyResponse {
  return {
    status: response?.status ?? null,
    failure: failure === null ? '' : `${failure.kind}: ${failure.message}`,
  }
}
