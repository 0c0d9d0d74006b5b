/** A request that was refused as too early is sent again, as it was, where the response says how long to wait. */
import type { Exchange } from '../../wire/exchange.ts'
import { backoffMs } from '../../wire/budget/spending.ts'
import type { ScenarioContext } from '../scenario-context.ts'
import type { Insistence } from './insist.ts'

/**
 * Whether to send it again. The wait may end what is under way or what a state is about; a scenario about the limit
 * means the refusal; and a target that refuses whatever we wait for is not asked for ever.
 */
export function isTooEarly(
  exchange: Exchange,
  { openStates, setting }: Pick<ScenarioContext, 'openStates' | 'setting'>,
  { leftRefused }: Insistence,
): boolean {
  const isMeant = Object.values(setting.cast).some(({ sacrificial }) => sacrificial)
  return backoffMs(exchange) > 0 && openStates.length === 0 && !isMeant && leftRefused > 0
}
