/** Presentations, the buttons they offer, and what has become of a button that comes back. */
import type { ChatTenant } from './rules.ts'
import { canonicalJson, isObject, type JsonObject } from '../json.ts'
import type { ButtonState, Conversation, Offer } from '../tenant/conversations.ts'
import { refuseChat, type ChatRefusal } from './refusal.ts'
import type { ReplyPresentation } from './reply-rule.ts'
import type { TurnRequest } from './turn.ts'

/** The members that are copied, whatever else a client adds. */
function identity(interaction: JsonObject): string {
  const { runId = null, nodeId = null, payload = null } = interaction
  return canonicalJson([runId, nodeId, payload])
}

/** Makes a presentation in a conversation; the buttons of the one before are superseded. */
export function presentButtons(
  state: ChatTenant,
  conversation: Conversation,
  content: ReplyPresentation,
): JsonObject {
  const { rules, random, offers } = state
  const { messages = [], buttons = [], images = [], media = [] } = content
  const presentation = ++state.presentations
  const run = random.uuid()
  const offered = buttons.map((label, index) => {
    const members = rules.interactionMembers({ run, presentation, choice: index + 1 })
    offers.set(identity(members), { conversation, presentation })
    return { label, interaction: { type: 'workflow_button', ...members } }
  })
  conversation.current = presentation
  return rules.presentation({ messages, buttons: offered, images, media })
}

/** The offer that a button belongs to, if it was made to this account, agent and conversation. */
export function offerOf({ offers }: ChatTenant, { apiKey, agent, request }: TurnRequest): Offer | undefined {
  if (!isObject(request.interaction)) return undefined
  const offer = offers.get(identity(request.interaction))
  const { conversation } = offer ?? {}
  const here =
    conversation?.account === apiKey.account &&
    conversation.agent === agent.id &&
    (request.conversationId === null || request.conversationId === conversation.id)
  return here ? offer : undefined
}

export function buttonStateOf(offer: Offer | undefined): ButtonState {
  if (!offer) return 'unknown'
  return offer.conversation.current === offer.presentation ? 'current' : 'superseded'
}

/** Null: the button can be pressed. */
export function refuseButton({ rules }: ChatTenant, offer: Offer | undefined): ChatRefusal | null {
  const state = rules.buttonState(buttonStateOf(offer))
  if (state === 'current') return null
  return state === 'unknown' && rules.forged === 'invalid'
    ? refuseChat('INVALID_BODY', 'No presentation offered this interaction; copy one from the latest.')
    : refuseChat('WORKFLOW_INTERACTION_STALE')
}
