/** The webhook events of a turn. They happen once, with its commit: a replay commits nothing. */
import { isObject, type JsonObject } from '../json.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { TurnPlan } from './plan.ts'
import type { TurnRequest, TurnReply } from './turn.ts'

export function emitTurn(state: TenantState, asked: TurnRequest, plan: TurnPlan, reply: TurnReply): void {
  const { rules, clock, outbox, webhooks } = state
  // Where nobody listens, not even a payload is made.
  if (!rules.turnsEmit || plan.stored || webhooks.size === 0) return
  const conversationId = reply.conversation
  const agent = asked.agent.id
  const emit = (event: string, members: JsonObject = {}, given?: JsonObject): void => {
    if (!rules.reports(event, asked)) return
    const payload = given ?? rules.payload(event, state, { conversationId, members })
    outbox.emit({ event, agent, at: clock.date(), payload, test: false })
  }
  for (const actionName of plan.executed) emit('tool.executed', { actionName })
  if (reply.response !== '') emit('message.sent', { text: reply.response })
  for (const row of plan.events)
    if (typeof row === 'string') emit(row)
    else emit(row.event, {}, isObject(row.payload) ? row.payload : undefined)
}
