/** Asks for a witness before the story is told, where the story may have nothing to tell it by. */
import type { Wire } from '../wire/wire.ts'
import { notExercised } from './ending.ts'
import { chatRequest, type Letterhead } from './request.ts'
import type { Setting } from './setting.ts'
import type { Standing } from './standing.ts'
import { witnesses } from './witnesses.ts'

export interface Asker {
  wire: Wire
  letterhead: Letterhead
}

/** Sends the message of the state, or else a plain one. What ends the story, or null; never throws, because the state still has to be left. */
export async function askFirst(
  { state, by, doubt }: Standing,
  setting: Setting,
  { wire, letterhead }: Asker,
): Promise<Error | null> {
  if (!witnesses[state].asksFirst || by === 'wire') return null
  try {
    const plain = await wire.send(
      chatRequest(`witness ${state}`, { message: setting.message }, setting, letterhead),
    )
    if (plain.failure?.kind === 'budget') return notExercised('budget-exhausted', plain.failure.message)
    const found = doubt([plain])
    return found && notExercised('state-not-established', found.because)
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}
