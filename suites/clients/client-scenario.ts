/**
 * A scenario about a client: acts, each a task and the service that it meets, played by the client one after another and
 * judged like any other scenario from what the service saw. To the engine it is a scenario: every act is the name of a
 * list of exchanges.
 */
import type { ClientKind } from '../../reports/bundle/client-report.ts'
import type { AnyScenario, Scenario } from '../scenario/scenario.ts'
import type { ServiceSetup } from './execution/service.ts'
import type { ClientTask } from './execution/task.ts'

export interface ClientStep {
  task: ClientTask
  service?: ServiceSetup
  /** Nothing may come in and the scenario goes on: what is judged is that a client keeps still. Never in the first act. */
  maySendNothing?: true
  /**
   * It has the address and the key of the act before, and so has its service: whoever keeps a client object, or a
   * cache, has it still. Its `stage` says nothing. Never in the first act.
   */
  continues?: true
  /** How long it may take, in ms, before it is ended; default 10,000. */
  limitMs?: number
}

export interface ClientScenario extends AnyScenario {
  readonly clientKind: ClientKind
  /** In this order. Where absence is judged, the first is the well-behaved twin. */
  readonly steps: Readonly<Record<string, ClientStep>>
}

type Declaration<A extends string> = Pick<Scenario<`${A}[]`>, 'title' | 'judge' | 'observe' | 'profile'> & {
  /** Default `client`. */
  clientKind?: ClientKind
  steps: Readonly<Record<A, ClientStep>>
}

/** The most requests that a client may send in one act; what comes on top is counted by the caps of the run. */
const requestsPerStep = 50

/** Declares a scenario; the names of its acts type what judges see. */
export function clientScenario<const A extends string>({
  clientKind = 'client',
  steps,
  judge,
  observe,
  ...scenario
}: Declaration<A>): ClientScenario {
  const names = Object.keys(steps)
  return {
    ...scenario,
    clientKind: clientKind,
    steps: steps,
    judge,
    ...(observe ? { observe } : {}),
    exchanges: names.map((name) => `${name}[]`),
    cost: { requests: names.length * requestsPerStep, turns: 0 },
    run: () => Promise.reject(new Error('this scenario is run by a client: use runClient')),
  }
}
