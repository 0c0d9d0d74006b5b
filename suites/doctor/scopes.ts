/** Whether the keys have the scopes that a target file states, by reads that cost nothing. */
import { scopes, type Scope } from '../../spec/index.ts'
import type { RunContext } from '../runner/run-context.ts'
import { readRequest } from '../runner/requests/execution-request.ts'
import { ordinary } from '../runner/states/settings.ts'
import { discoveredIn } from '../operations/assertions/pointers/pointer-discovery.ts'
import type { Principal, Target } from '../config/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { unwellSign } from './keys.ts'
import { fine, unknownSign, wrong, type DoctorResult } from './sign.ts'

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
      const setting = { agent: target.agents.plain, secondAgent: '', message: '', cast: { self: as } }
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

function responseOf({ response, failure }: Exchange): { status: number | null; failure: string } {
  return {
    status: response?.status ?? null,
    failure: failure === null ? '' : `${failure.kind}: ${failure.message}`,
  }
}
