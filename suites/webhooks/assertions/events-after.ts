/** Which events arrived after each request of a scenario, and that none arrived after requests that cause none. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { since } from './new-deliveries.ts'
import { isTestDelivery } from './deliveries.ts'
import { eventsAmong } from './events.ts'
import { fail, every, pass } from '../../scenario/expect.ts'

export interface NoEventKind {
  readonly words: string
  readonly requests: readonly Exchange[]
  /** Whether the request is of the kind, such as a replay: a request that ran as a turn may cause an event. */
  isSo: (request: Exchange) => boolean
}

/**
 * Deliveries of an event that arrived between a request and the next one of the scenario, without those that arrived
 * before.
 */
export function deliveredAfter(
  request: Exchange,
  arrived: readonly Exchange[],
  event: string,
  scenario: readonly Exchange[],
): readonly Exchange[] {
  const next = Math.min(...scenario.map(({ id }) => id).filter((id) => id > request.id))
  const anew = since(arrived, request).filter(({ id }) => id < next)
  return eventsAmong(anew, event).filter((one) => !isTestDelivery(one))
}

/**
 * A service may send events for other reasons, and late: fails only if one arrived after each of the repeated
 * requests. A request sent once was followed by no more than expected.
 */
export function noneDelivered(
  kinds: readonly NoEventKind[],
  arrived: readonly Exchange[],
  event: string,
  scenario: readonly Exchange[],
): Judgement {
  return every(kinds, ({ words, requests, isSo }) => {
    const again = requests.slice(1).filter(isSo)
    const delivered = again.map((request) => deliveredAfter(request, arrived, event, scenario)[0])
    if (again.length < 2 || delivered.some((one) => one === undefined)) return pass
    return fail(`no ${event} for ${words}`, `one each of ${again.length} times`, delivered[0])
  })
}
