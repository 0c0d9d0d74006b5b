/** What of an event came after each request of a scenario, and that nothing came after those that bring none about. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { since } from './new-deliveries.ts'
import { isTest } from './deliveries.ts'
import { eventsAmong } from './events.ts'
import { broken, every, pass } from '../../scenario/expect.ts'

/** Requests of one kind that bring no event about, in words. */
export interface Kind {
  readonly words: string
  readonly requests: readonly Exchange[]
  /** Whether a request became what its kind says, such as a replay: what runs as a turn may be told of. */
  isSo: (request: Exchange) => boolean
}

/** Deliveries of an event that came between a request and the next of the scenario; one that came before is none. */
export function toldAfter(
  request: Exchange,
  arrived: readonly Exchange[],
  event: string,
  scenario: readonly Exchange[],
): readonly Exchange[] {
  const next = Math.min(...scenario.map(({ id }) => id).filter((id) => id > request.id))
  const anew = since(arrived, request).filter(({ id }) => id < next)
  return eventsAmong(anew, event).filter((one) => !isTest(one))
}

/**
 * A service may send messages of its own accord, and late: only what came each time that a request was made a second
 * and a third time is held against it. What was made once was followed by no more than was due.
 */
export function noneTold(
  kinds: readonly Kind[],
  arrived: readonly Exchange[],
  event: string,
  scenario: readonly Exchange[],
): Judgement {
  return every(kinds, ({ words, requests, isSo }) => {
    const again = requests.slice(1).filter(isSo)
    const told = again.map((request) => toldAfter(request, arrived, event, scenario)[0])
    if (again.length < 2 || told.some((one) => one === undefined)) return pass
    return broken(`no ${event} for ${words}`, `one each of ${again.length} times`, told[0])
  })
}
