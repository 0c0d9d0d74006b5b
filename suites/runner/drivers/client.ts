/** Runs the suite against a client of the service. */
import { randomUUID } from 'node:crypto'
import { ConfigurationError, type Budgets } from '../../config/target.ts'
import type { Run } from '../../../bundle/record.ts'
import type { ClientScenario, ClientStep } from '../../clients/client-scenario.ts'
import { stepNote } from '../../clients/assertions/step-result.ts'
import type { StepResult, ClientKind } from '../../../bundle/client-report.ts'
import {
  createServicePool,
  errorLineOf,
  runStep,
  type StepDeps,
  type StepExecution,
  type StepId,
} from '../../clients/execution/step.ts'
import { type Action, type ClientRunner, actions, type StartService } from '../../clients/execution/task.ts'
import { clientScenarios, clientScenariosFor } from '../../clients/index.ts'
import { notExercised, unprovenNote, type Ending, type ScenarioExecution } from '../../scenario/ending.ts'
import { realClock, type Clock } from '../../wire/clock.ts'
import { identifiersIn, type Exchange } from '../../wire/exchange.ts'
import { createRedactor } from '../../../bundle/redaction/redaction.ts'
import { createRecording } from '../recording.ts'
import { openingOf } from '../plan/opening.ts'
import { planStandard, type Planned, type PlannedScenario } from '../plan/plan.ts'
import { mustMatch } from '../plan/selection.ts'
import type { RunDriver, RunSettings } from '../run-driver.ts'
import { completeRun, openRun } from '../run-loop.ts'
import type { Identifiers } from '../../../spec/identifiers.ts'
import { emptyPolicy, type Policy } from '../../policy/policy.ts'

export type ClientScenarios = Readonly<Record<string, ClientScenario>>

export interface ClientRunOptions extends RunSettings {
  runner: ClientRunner
  startService: StartService
  scenarios?: ClientScenarios
}

/** Throws a ConfigurationError for what cannot be planned; any other problem is a finding. */
export async function runClient(subject: ClientSubject, options: ClientRunOptions): Promise<Run> {
  const { clock = realClock(), runner } = options
  const loop = openRun(clientDriver(subject, clock, options), { ...options, clock })
  return completeRun(loop, () => loop.runInOrder(runner.concurrency))
}

/** Each step has a service with an address of its own; what these have in common is this machine. */
const baseUrl = 'http://127.0.0.1'

/** Scenarios run side by side. Their exchanges get ids in the order of the plan, so that a run can be repeated. */
function clientDriver(
  subject: ClientSubject,
  clock: Clock,
  options: ClientRunOptions,
): RunDriver<ClientScenario> {
  const { seed, only = [], runner, startService, onProgress, origin, redactor = createRedactor() } = options
  const { runId = randomUUID(), version = 'development', signal = new AbortController().signal } = options
  const { as, can, policy, budgets } = subject
  const started = { startedAt: clock.wall(), ...(origin === undefined ? {} : { origin }) }
  const run = { id: runId, seed, only, ...started, profile: 'standard', optIn: [] } as const
  const scenarios = clientScenariosFor(as)
  const recording = createRecording(redactor, (exchange) => onProgress?.({ is: 'exchange', exchange }))
  const planned = planClient(subject, only, options.scenarios)
  let [requests, hasReported] = [0, as === 'command-line']
  const used = () => ({ requests, turns: 0, credits: 0, wallSeconds: clock.now() / 1000 })
  const limits = {
    runner,
    clock,
    signal,
    startService,
    controls: new Map<string, Promise<StepExecution>>(),
    ends: [] as string[],
    count({ requests: more, result }: StepExecution) {
      requests += more
      hasReported ||= result.reported.length > 0
    },
    spent() {
      if (requests >= budgets.requests)
        return `the client may send ${budgets.requests} requests, and sent ${requests}`
      const late = clock.now() > budgets.wallSeconds * 1000
      return late ? `the run may take ${budgets.wallSeconds} seconds, and they are over` : null
    },
  }
  return {
    planned,
    opening: openingOf(run, { ...subject, kind: 'client', baseUrl, client: { as, can } }, version, scenarios),
    scenarios,
    policy,
    dialect: {},
    recording,
    used,
    begin: () => Promise.resolve(),
    execute: (one) => runSteps(one, `${seed}/${one.id}`, limits),
    collect(execution) {
      const before = recording.journal.length
      const exchanges = execution.exchanges.map((one) => recording.add({ ...one, id: one.id + before }))
      onProgress?.({ is: 'spent', used: used() })
      return { ...execution, exchanges }
    },
    warning(findings) {
      if (requests === 0 && findings.some(({ reason }) => reason === 'client-never-acted'))
        return nothingSent(subject, limits.ends)
      if (requests > 0 && !hasReported && findings.some(({ verdict }) => verdict === 'inconclusive'))
        return 'the client reported nothing of what it received: print lines `touchstone {"saw":…}`'
      const outlooks = planned.scenarios.map(({ outlook }) => outlook?.because)
      return outlooks.includes(undefined) ? null : `--can leaves out all that was selected: ${outlooks[0]}`
    },
    close: () => runner.close(),
  }
}

/**
 * Scenarios for another kind of client are not planned. `only`: see `planRun`. Throws a ConfigurationError for patterns
 * and policy entries that match nothing.
 */
export function planClient(
  { as, can, policy }: ClientSubject,
  only: readonly string[] = [],
  all: ClientScenarios = clientScenariosFor(as),
): Planned<ClientScenario> {
  mustMatch({ ...clientScenarios, ...all }, only)
  const planned = planStandard(all, { policy, only, outlookOf: (scenario) => lacking(scenario, can) })
  if (planned.scenarios.length === 0)
    throw new ConfigurationError(`what matches ${only.join(', ')} concerns another kind of client; see --as`)
  return planned
}

function lacking({ steps }: ClientScenario, can: readonly Action[]): Ending | null {
  const missing = Object.values(steps).find(({ task }) => !can.includes(task.do))
  if (missing === undefined) return null
  return { is: 'not-applicable', because: `the client was said not to have \`${missing.task.do}\`` }
}

function nothingSent(subject: ClientSubject, ends: readonly string[]): string {
  const { baseUrlVariable } = identifiersIn(subject)
  const [first = ''] = ends
  if (ends.every((how) => how !== '')) return `${first}; it sent no request in any scenario`
  const task = subject.as === 'command-line' ? 'its arguments' : 'TOUCHSTONE_TASK'
  return `the client sent no request in any scenario: it finds where to send it in ${baseUrlVariable}, and what in ${task}`
}

interface RunDeps extends StepDeps {
  startService: StartService
  /** How the client ended in steps without a request; see `howEnded`. */
  ends: string[]
  /** First steps, which are controls: scenarios with the same one share its execution. */
  controls: Map<string, Promise<StepExecution>>
  count(execution: StepExecution): void
  spent(): string | null
}

async function runSteps(
  { id, scenario, outlook }: PlannedScenario<ClientScenario>,
  seed: string,
  deps: RunDeps,
): Promise<ScenarioExecution | Ending> {
  const exchanges: Exchange[] = []
  const notes: Record<string, string | number> = {}
  const ended = (ending: Ending | null, crash: string | null = null): ScenarioExecution => {
    return { scenario: id, exchanges, notes, ending, crash, states: [], stuck: [] }
  }
  if (outlook) return ended(outlook)
  const services = createServicePool(deps.startService)
  const run = async (step: ClientStep, call: StepId): Promise<StepExecution> => {
    const service = await services.for(step, `${seed}/${call.name}`)
    const execution = await runStep(step, service, call, deps)
    deps.count(execution)
    return execution
  }
  try {
    const steps = Object.entries(scenario.steps)
    for (const [at, [name, step]] of steps.entries()) {
      const spent = deps.spent()
      if (spent !== null) return notExercised('budget-exhausted', spent).ending
      const call = { scenario: id, name, firstId: exchanges.length + 1 }
      const isControl = at === 0 && !steps[1]?.[1].continues
      const key = JSON.stringify([step.task, step.service, step.limitMs])
      const running = (isControl && deps.controls.get(key)) || run(step, call)
      if (isControl) deps.controls.set(key, running)
      const { requests, result, isMet, exchanges: sent } = await running
      exchanges.push(...sent.map((one, nth) => sentIn(one, { ...call, firstId: call.firstId + nth })))
      notes[stepNote(name)] = JSON.stringify(result)
      if (requests > 0 && !isMet)
        notes[unprovenNote(name)] =
          `step \`${name}\`: no request met the network fault that was prepared for it`
      const more = requests - sent.length
      if (more > 0) notes[`not recorded of ${name}`] = `${more} further requests`
      // The loop discards what an abort cut off.
      if (deps.signal.aborted) return ended(null)
      if (requests > 0 || step.maySendNothing) continue
      const how = howEnded(result)
      deps.ends.push(how)
      const words = `step \`${name}\`: no request sent${how && `; ${how}`}`
      return ended(notExercised('client-never-acted', words).ending)
    }
    return ended(null)
  } catch (thrown) {
    return ended(null, thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  } finally {
    await services.close()
  }
}

/** An exchange of a step as one of this scenario. */
function sentIn({ inbound, ...one }: Exchange, { scenario, name, firstId: id }: StepId): Exchange {
  return { ...one, scenario, name, id, ...(inbound && { inbound: { ...inbound, place: name } }) }
}

/** Empty if it ended as it should. */
function howEnded({ ended, exitCode, stderr }: StepResult): string {
  const how = {
    exit: exitCode === 0 ? '' : `the client ended with ${exitCode ?? 'a signal'}`,
    done: '',
    timeout: 'the client did not end in time',
    lost: 'the driver exited',
  }[ended]
  const why = errorLineOf(stderr)
  return how === '' || why === '' ? how : `${how}: ${why}`
}

export interface ClientSubject {
  /** For people: the command, without secrets. */
  name: string
  as: ClientKind
  /** The word of the service that it is a client of, and its identifiers; absent: as the contract writes them. */
  vendor?: string
  identifiers?: Identifiers
  /** Actions that it was said to have; a scenario that asks for another is not applicable. */
  can: readonly Action[]
  /** Of these, `requests` and `wallSeconds` hold for a client. */
  budgets: Budgets
  policy: Policy
}

const budgets: Budgets = {
  requests: 100_000,
  turns: 0,
  credits: 0,
  wallSeconds: 1_800,
  requestsPerMinute: 1,
}

export function clientCalled(name: string, more: Partial<ClientSubject> = {}): ClientSubject {
  const as = more.as ?? 'client'
  const can = actions.filter((action) => (action === 'command') === (as === 'command-line'))
  return { name, as, can, budgets, policy: emptyPolicy, ...more }
}
