/** Whether requests of a race met at all. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { inconclusive, pass } from '../../scenario/expect.ts'
import { overlap } from '../../chat/assertions/race.ts'

/** Some two of them were under way at one moment; a race in which none met shows nothing. */
export function requestsOverlap(exchanges: readonly Exchange[]): Judgement {
  const met = exchanges.some((one, i) => exchanges.slice(i + 1).some((other) => overlap(one, other)))
  return met ? pass : inconclusive('no two of the requests were under way at one moment')
}
