/**
 * A scenario about a client: acts, each a task and the service that it meets, played by the client one after another and
 * judged like any other scenario from what the service saw. To the engine it is a scenario: every act is the name of a
 * list of exchanges.
 */
import type { Concerned } from '../../reports/bundle/client-report.ts'
import type { AnyScenario, Scenario } from '../scenario/scenario.ts'
import type { Stage } from './execution/service.ts'
import type { Task } from './execution/task.ts'

export interface Act {
  task: Task
  stage?: Stage
  /** Nothing may come in and the scenario goes on: what is judged is that a client keeps still. Never in the first act. */
  maySendNothing?: true
  /**
   * It has the address and the key of the act before, and so has its service: whoever keeps a client object, or a
   * cache, has it still. Its `stage` says nothing. Never in the first act.
   */
  goesOn?: true
  /** How long it may take, in ms, before it is ended; default 10,000. */
  limitMs?: number
}

export type { Concerned }

export interface ClientScenario extends AnyScenario {
  readonly concerns: Concerned
  /** In this order. Where absence is judged, the first is the well-behaved twin. */
  readonly acts: Readonly<Record<string, Act>>
}

type Acted<A extends string> = Pick<Scenario<`${A}[]`>, 'title' | 'judge' | 'observe' | 'profile'> & {
  /** Default `client`. */
  concerns?: Concerned
  acts: Readonly<Record<A, Act>>
}

/** The most requests that a client may send in one act; what comes on top is counted by the caps of the run. */
const requestsOfAnAct = 50

/** Declares a scenario; the names of its acts type what judges see. */
export function clientScenario<const A extends string>({
  concerns = 'client',
  acts,
  judge,
  observe,
  ...scenario
}: Acted<A>): ClientScenario {
  const names = Object.keys(acts)
  return {
    ...scenario,
    concerns,
    acts,
    judge,
    ...(observe ? { observe } : {}),
    exchanges: names.map((name) => `${name}[]`),
    cost: { requests: names.length * requestsOfAnAct, turns: 0 },
    run: () => Promise.reject(new Error('this scenario is run by a client: use runClient')),
  }
}
