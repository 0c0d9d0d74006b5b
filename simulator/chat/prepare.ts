/** The rules of a turn that depend on the state of the tenant, once its key is claimed. */
import { conversationKey, type Conversation, type Offer } from '../tenant/conversations.ts'
import { available, type Account, type Credits } from '../tenant/credits.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { turnPlanOf, storedPlan, type TurnPlan } from './plan.ts'
import { isChatRefusal, refuseChat, type ChatRefusal } from './refusal.ts'
import { replyFor } from './reply-rule.ts'
import type { TurnRequest } from './turn.ts'
import { offerOf, refuseButton } from './workflow.ts'

/** A turn that may run; its cost is held on the account. */
export interface PreparedTurn {
  readonly account: Account
  /** Balance when the turn began. */
  readonly atStart: Credits
  readonly cost: Credits
  readonly conversation: Conversation
  readonly plan: TurnPlan
  /** The presentation whose button was pressed; 0 when none was. */
  readonly pressed: number
}

function refuseInteraction(
  state: TenantState,
  { agent, request }: TurnRequest,
  offer: Offer | undefined,
): ChatRefusal | null {
  if (request.interaction === null) return null
  const paused = agent.paused ? refuseChat('AI_REPLY_PAUSED') : null
  const stale = refuseButton(state, offer)
  return state.rules.pausedBeforeStale ? (paused ?? stale) : (stale ?? paused)
}

function converse(
  state: TenantState,
  asked: TurnRequest,
  offer: Offer | undefined,
): Conversation | ChatRefusal {
  if (offer) return offer.conversation
  const { apiKey, agent, request } = asked
  const given = request.conversationId
  const place = { account: apiKey.account, agent: agent.id, id: given ?? '' }
  const found = given === null ? undefined : state.conversations.get(conversationKey(place))
  if (found) return found
  if (given !== null && state.rules.unknownConversation === 'refuse')
    return refuseChat(
      'INVALID_BODY',
      `There is no conversation ${given} here; omit conversation_id to start one.`,
    )
  return { ...place, id: given ?? state.random.uuid(), turns: 0, presses: 0, current: 0 }
}

function planFor(state: TenantState, { agent, request }: TurnRequest, conversation: Conversation): TurnPlan {
  if (agent.paused) return storedPlan
  const { message } = request
  const pressed = request.interaction ? conversation.presses + 1 : 0
  const occasion = { agent, message, nth: conversation.turns + 1, pressed }
  return turnPlanOf(replyFor(state.replyRules, occasion), message, conversation.said)
}

export function prepareTurn(state: TenantState, asked: TurnRequest): PreparedTurn | ChatRefusal {
  const { rules } = state
  const offer = offerOf(state, asked)
  const conversation = refuseInteraction(state, asked, offer) ?? converse(state, asked, offer)
  if (isChatRefusal(conversation)) return conversation
  const plan = planFor(state, asked, conversation)
  const free = plan.stored && rules.pausedCost === 'free'
  const cost = free ? 0 : rules.cost({ asked, response: plan.response, given: plan.given })
  const account = state.accounts.get(asked.apiKey.account)
  if (!account) return refuseChat('SERVER_ERROR', `There is no account ${asked.apiKey.account}.`)
  const left = available(account)
  if (!free && !rules.covers(left, cost))
    return refuseChat('INSUFFICIENT_CREDITS', undefined, rules.shortage(cost, left))
  account.reserved += cost
  // A pressed button is used up at once: a second press cannot start a second turn.
  if (offer) {
    conversation.current = 0
    state.conversations.touch(conversationKey(conversation))
  }
  return { account, atStart: account.balance, cost, conversation, plan, pressed: offer?.presentation ?? 0 }
}

/** A prepared turn that came to nothing: what it held is free, and its button can be pressed again. */
export function putBack(
  { conversations }: TenantState,
  { account, cost, conversation, pressed }: PreparedTurn,
): void {
  account.reserved -= cost
  if (pressed === 0 || conversation.current !== 0) return
  conversation.current = pressed
  conversations.touch(conversationKey(conversation))
}
