/** Which signed-in user a request carries, and whether it carries a project key instead. */
import type { WebhookTenant } from '../../rules/webhooks.ts'
import { headerValues, type Call } from '../../edge/reply.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import type { DashboardSession } from '../../tenant/webhooks/webhook.ts'

type Carried = Pick<Call, 'headers'>

/** What the cookie `session` holds; null where there is none. */
export function cookieToken(call: Carried): string | null {
  for (const header of headerValues(call, 'cookie'))
    for (const pair of header.split(';')) {
      const [name = '', ...value] = pair.split('=')
      if (name.trim() === 'session') return value.join('=').trim()
    }
  return null
}

function bearerToken(call: Carried, { rules }: WebhookTenant): string | null {
  const [authorization, second] = headerValues(call, 'authorization')
  return authorization === undefined || second !== undefined ? null : rules.bearer(authorization)
}

export function sessionByCookie(call: Carried, state: WebhookTenant): DashboardSession | null {
  return state.sessions.get(cookieToken(call) ?? '') ?? null
}

export function sessionByBearer(call: Carried, state: WebhookTenant): DashboardSession | null {
  return state.sessions.get(bearerToken(call, state) ?? '') ?? null
}

/** The project key that a request carries; null where it has none that is valid. */
export function projectKeyOf(call: Carried, state: WebhookTenant): ApiKey | null {
  const apiKey = state.apiKeys.get(bearerToken(call, state) ?? '')
  return apiKey && state.rules.isValid(apiKey) ? apiKey : null
}

/** What a service that takes a project key for a user would make of it; for faults. */
export function sessionOfKey(call: Carried, state: WebhookTenant): DashboardSession | null {
  const apiKey = projectKeyOf(call, state)
  return [...state.sessions.values()].find(({ account }) => account === apiKey?.account) ?? null
}
