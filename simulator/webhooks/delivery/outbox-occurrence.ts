/** Which webhooks get an event, and the sample event that somebody asks for. */
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Occurrence } from './delivery.ts'
import type { Webhook } from '../webhook.ts'

export function isFor({ rules }: TenantState, webhook: Webhook, { agent, event }: Occurrence): boolean {
  return webhook.agent === agent && rules.isOn(webhook) && rules.selects(webhook, event)
}

/** A sample event, asked for by somebody. */
export function sampleFor(state: TenantState, webhook: Webhook): Occurrence {
  const { rules, clock } = state
  const event = rules.testEvent(webhook)
  const payload = rules.payload(event, state)
  return {
    event,
    agent: webhook.agent,
    at: clock.date(),
    payload: rules.testFlag ? { ...payload, _test: true } : payload,
    test: true,
  }
}
