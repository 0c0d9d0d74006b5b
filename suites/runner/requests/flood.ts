/** Uses up the requests of a minute of one key, as cheaply as it goes: one turn, then its replays. */
import { limits } from '../../../spec/index.ts'
import type { Wire } from '../../wire/recorder.ts'
import { notExercised } from '../../scenario/ending.ts'
import { chatRequest, type RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/setting.ts'

/** A window that slides and one that is fixed both end within twice the rate. */
export const floodMost = 2 * limits.chatRequestsPerMinute + 5

/** Returns at the first 429. */
export async function flood(
  setting: Setting,
  { wire, requestDefaults }: { wire: Wire; requestDefaults: RequestDefaults },
): Promise<void> {
  const key = requestDefaults.source.key()
  const message = requestDefaults.source.text()
  const unmet = (because: string) => notExercised('state-not-established', because)
  for (let sent = 0; sent < floodMost; sent++) {
    const asked = { message, idempotency_key: key }
    const exchange = await wire.send(chatRequest('flood', asked, setting, requestDefaults), {
      turns: sent === 0 ? 1 : 0,
      unpaced: true,
    })
    if (exchange.response?.status === 429) return
    if (exchange.failure?.kind === 'budget') throw notExercised('budget-exhausted', exchange.failure.message)
    if (exchange.failure)
      throw unmet(`request ${sent + 1} of one key got no whole answer: ${exchange.failure.message}`)
  }
  throw unmet(`${floodMost} requests of one key within a minute met no 429`)
}
