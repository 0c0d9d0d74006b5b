/** The state of a Workflow within a scenario: its conversation, and the button to press next. */
import type { ChatRequest, Driver } from '../../scenario/scenario.ts'
import { buttonsOf, type Interaction } from '../assertions/presentation.ts'
import { toContinue } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export interface Flow {
  conversation_id: string
  button: Interaction
  /** All buttons, the first of which is `button`. */
  buttons: readonly Interaction[]
}

/** The Workflow after a reply; ends the scenario if the reply has no button. */
export function flowOf(t: Pick<Driver, 'dialect' | 'stop'>, exchange: Exchange): Flow {
  const conversation_id = toContinue(t, exchange)
  const buttons = buttonsOf(exchange, t.dialect)
  const [button] = buttons
  if (!button) return t.stop(`\`${exchange.name}\` offered no button that could be copied`)
  return { conversation_id, button, buttons }
}

/** Presses the button, with a fresh key and text. */
export function pressing(t: Pick<Driver, 'text'>, { conversation_id, button }: Flow): ChatRequest {
  return { message: t.text(24), conversation_id, interaction: button }
}

/** The agent of a paused fixture is another one than that of the Workflow, and does not know its buttons. */
export async function pauseHere(t: Pick<Driver, 'agent' | 'enter' | 'stop'>): Promise<void> {
  const { agent } = t
  await t.enter('chat.paused')
  if (t.agent !== agent) t.stop('the replies of the agent with the Workflow cannot be paused here')
}
