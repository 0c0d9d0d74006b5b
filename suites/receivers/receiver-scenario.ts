/**
 * A scenario about a receiver: it is run by a courier, who posts deliveries, and judged like any other. To the
 * engine it is a scenario, so that plans, records and reports are those of every run.
 */
import type { Many, One } from '../scenario/exchange-names.ts'
import type { AnyScenario, Scenario } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Delivery, Wish } from './delivery.ts'

export interface Courier<N extends string = string> {
  readonly events: readonly string[]
  genuine(wish?: Wish): Delivery
  /** The header value that would be true for this body under this secret; default: the one shared. */
  sign(body: string | Uint8Array, secret?: string): string
  deliver(name: One<N> | Many<N>, delivery: Delivery): Promise<Exchange>
  /** Ends the scenario where no response comes in time: each other forged delivery would take as long. */
  deliverForged(name: One<N> | Many<N>, delivery: Delivery): Promise<void>
  /** All at once, on warm connections, past one barrier. */
  together(name: Many<N>, deliveries: readonly Delivery[]): Promise<readonly Exchange[]>
  /** Posts a genuine delivery, and once more where nothing answers: one or two under the name `after`. */
  stands(): Promise<void>
  /** Asks the receiver how often it processed what came under this id. */
  processed(name: Many<N>, id: string): Promise<void>
  /** Asks until it was processed, and ends the scenario as inconclusive where that takes too long. Resolves with the milliseconds. */
  settled(name: Many<N>, id: string): Promise<number>
  /** Asks until each of these was processed at least once, or effects have had their time, and ends nothing. */
  allSettled(name: Many<N>, ids: readonly string[]): Promise<void>
  pause(ms: number): Promise<void>
}

export interface ReceiverScenario extends AnyScenario {
  /** Needs an effects URL to see what the receiver did. */
  readonly effects?: true
  /** Comes after all others, and judges what genuine deliveries of the whole run did to the process. */
  readonly isLast?: true
  deliver(courier: Courier): Promise<void>
}

type ReceiverDeclaration<N extends string> = Omit<Scenario<N>, 'run' | 'needs' | 'cost'> &
  Pick<ReceiverScenario, 'effects' | 'isLast'> & {
    requests: number
    deliver(courier: Courier<N>): Promise<void>
  }

/** Declares a scenario; the names in `exchanges` type both `deliver` and `judge`. */
export function receiverScenario<const N extends string>({
  requests,
  ...scenario
}: ReceiverDeclaration<N>): ReceiverScenario {
  const run = () => Promise.reject(new Error('this scenario is run by a courier: use runReceiver'))
  return { ...scenario, cost: { requests, turns: 0 }, run }
}
