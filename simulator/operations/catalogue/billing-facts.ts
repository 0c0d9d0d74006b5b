/** What a project pays for: plans, the subscription, and invoices. */
import type { OperationContext } from '../operation.ts'
import type { JsonObject } from '../../json.ts'
import type { Account } from '../../tenant/credits.ts'

const names = {
  free: 'Free',
  starter: 'Starter',
  business: 'Business',
  enterprise: 'Enterprise',
} as const

export const planRows: readonly JsonObject[] = Object.entries(names).map(([id, displayName]) => ({
  id,
  displayName,
}))

export function displayName(plan: string): string {
  const known: Readonly<Record<string, string>> = { ...names, trial: 'Trial' }
  return (Object.hasOwn(known, plan) ? known[plan] : undefined) ?? plan
}

export const subscriptionStatusOf = ({ plan }: Account): string => (plan === 'trial' ? 'trialing' : 'active')

export function subscriptionOf(account: Account): JsonObject {
  return { status: subscriptionStatusOf(account), plan: { displayName: displayName(account.plan) } }
}

const months = 24

/** One for each of the last months, the newest first. */
export function invoicesOf({ id, plan }: Account, { clock }: OperationContext): readonly JsonObject[] {
  const now = new Date(clock.date())
  return Array.from({ length: months }, (_, back) => {
    const issued = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    const month = issued.toISOString().slice(0, 7)
    return {
      id: `inv_${id.slice(-6)}_${month}`,
      issuedAt: issued.toISOString(),
      total: 99,
      currency: 'EUR',
      status: back === 0 ? 'open' : 'paid',
      plan: displayName(plan),
    }
  })
}
