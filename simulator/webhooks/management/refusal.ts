/** What a management request is refused for. */
import type { OperationReply } from '../../../spec/operations.ts'
import type { Call } from '../../server/call.ts'
import { jsonReply, type ReplyInfo, type JsonReply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { projectKeyOf } from './sessions.ts'

type RefusalStatus = Extract<OperationReply<'createWebhook'>['status'], 400 | 401 | 402 | 403 | 404 | 422>

/** The simulator's own codes: the contract shows none. */
type RefusalCode = 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'PLAN_REQUIRED' | 'NOT_FOUND'

export interface ManagementRefusal {
  readonly refused: RefusalCode
  readonly status: RefusalStatus
  /** What went wrong, and what to do. */
  readonly words: string
}

export function isManagementRefusal(value: object): value is ManagementRefusal {
  return 'refused' in value
}

export function invalid({ rules }: TenantState, words: string): ManagementRefusal {
  return { refused: 'INVALID_REQUEST', status: rules.webhookRefusal, words }
}

export function notFound(what: 'agent' | 'webhook'): ManagementRefusal {
  return { refused: 'NOT_FOUND', status: 404, words: `There is no such ${what}.` }
}

export function withoutSession(state: TenantState, call: Call): ManagementRefusal {
  if (projectKeyOf(call, state) === null)
    return { refused: 'UNAUTHORIZED', status: 401, words: 'There is no signed-in user; sign in first.' }
  const status = state.rules.projectKeyStatus
  const words = 'An API key cannot manage webhooks; sign in as a user.'
  return { refused: status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN', status, words }
}

export function withoutPlan({ rules }: TenantState, plan: string): ManagementRefusal {
  const words = `The plan ${plan} has no webhook settings; choose Business or Enterprise.`
  return { refused: 'PLAN_REQUIRED', status: rules.webhookPlanStatus, words }
}

/** A sample that asks for the next one would never end. */
export const fromDelivery: ManagementRefusal = {
  refused: 'FORBIDDEN',
  status: 403,
  words: 'A webhook may not deliver to the test route of a webhook; give it another endpoint.',
}

export function managementRefusalReply(
  { rules }: TenantState,
  { refused, status, words }: ManagementRefusal,
  about: ReplyInfo,
): JsonReply {
  const body = rules.errorLayout(rules.showsOwnCodes ? refused : null, words)
  return jsonReply(status, body, { ...about, code: refused })
}
