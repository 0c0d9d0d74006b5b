/** The webhook events of a turn. They happen once, with its commit: a replay commits nothing. */
import { isObject, type JsonObject } from '../json.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { HeavyTurns } from '../tenant/clock/heavy-turns.ts'
import { turnsAmong, type Steps } from './drive.ts'
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

/** So many deliveries are made within a millisecond. */
const few = 200

/** Whether a turn should commit by `fairly`. */
export const emitsMuch = ({ webhooks }: TenantState, { executed, events }: TurnPlan): boolean =>
  (executed.length + events.length) * webhooks.size > few

/** Of all tenants of this process. */
const turns = new HeavyTurns()

/** Commits when it is the turn of the tenant, unless the turn was ended before. */
export function* fairly<T>(state: TenantState, commit: () => T): Steps<T> {
  const made: { reply?: T } = {}
  const among = turnsAmong(state)
  const committed = turns.run(state, () => {
    if (!among.ended) made.reply = commit()
  })
  // A clock advance waits for it.
  yield state.clock.track(committed)
  return made.reply as T
}
