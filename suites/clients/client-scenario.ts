/**
 * A scenario for a client: steps, each with a task and a service, run in order. It is judged like any other scenario,
 * from the exchanges that the services recorded; each step names a list of exchanges.
 */
import type { ClientKind } from '../../bundle/client-report.ts'
import type { AnyScenario, Scenario } from '../scenario/scenario.ts'
import type { ClientTask, ServiceSetup } from './execution/task.ts'

export interface ClientStep {
  task: ClientTask
  service?: ServiceSetup
  /** The scenario continues if the client sends nothing. Never in the first step. */
  maySendNothing?: true
  /**
   * Uses the service of the previous step, so that a client can keep its state; `service` is ignored. `conversation`: the
   * task is in the conversation that the application reported there. Never in the first step.
   */
  continues?: true | 'conversation'
  /** Time limit in ms; default 10,000. */
  limitMs?: number
}

export interface ClientScenario extends AnyScenario {
  readonly clientKind: ClientKind
  /** In this order. Where absence is judged, the first is the control. */
  readonly steps: Readonly<Record<string, ClientStep>>
}

type Declaration<A extends string> = Pick<Scenario<`${A}[]`>, 'title' | 'judge' | 'observe' | 'profile'> & {
  /** Default `client`. */
  clientKind?: ClientKind
  steps: Readonly<Record<A, ClientStep>>
}

/** For the plan: requests of one step at most. */
const requestsPerStep = 50

/** Declares a scenario; the names of its steps are the names that judges can read. */
export function clientScenario<const A extends string>({
  clientKind = 'client',
  ...scenario
}: Declaration<A>): ClientScenario {
  const names = Object.keys(scenario.steps)
  return {
    ...scenario,
    clientKind,
    exchanges: names.map((name) => `${name}[]`),
    cost: { requests: names.length * requestsPerStep, turns: 0 },
    run: () => Promise.reject(new Error('this scenario is run by a client: use runClient')),
  }
}
