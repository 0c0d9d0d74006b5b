/** A whole run against a client: everything that was planned is run, and ends with a verdict. */
import { randomUUID } from 'node:crypto'
import { notExercised, type Ending } from '../scenario/ending.ts'
import { judgeScenario, notRun } from '../runner/outcome/judge.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { Progress } from '../runner/progress.ts'
import type { Finding, Run, RunRecord, ScenarioRun } from '../../reports/bundle/record.ts'
import { realClock, type Clock } from '../wire/clock.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import { createServicePool, runStep, type StepDeps } from './execution/step.ts'
import { inOrder } from './in-order.ts'
import { stepNote } from './assertions/step-result.ts'
import type { ClientRunner } from './execution/client-runner.ts'
import { planClient, type PlannedClientScenario, type ClientScenarios } from './plan.ts'
import { clientOpening, clientRecord } from './record.ts'
import type { StartService } from './execution/service.ts'
import type { ClientSubject } from './subject.ts'
import type { StepResult } from '../../reports/bundle/client-report.ts'

export interface ClientRunOptions {
  seed: number
  runner: ClientRunner
  startService: StartService
  /** Patterns; see `planRun`. */
  only?: readonly string[]
  /** Default: every scenario there is for such a client. */
  scenarios?: ClientScenarios
  clock?: Clock
  onProgress?: (progress: Progress) => void
  /** Ends the run early; what was not told is then not exercised. */
  signal?: AbortSignal
  version?: string
  runId?: string
}

/** Throws a ConfigurationError for what cannot be planned; whatever else goes wrong is a finding. */
export async function runClient(subject: ClientSubject, options: ClientRunOptions): Promise<Run> {
  const { seed, runner, clock = realClock(), onProgress, version = 'development' } = options
  const { only = [] } = options
  const planned = planClient(subject, only, options.scenarios)
  const opened = { id: options.runId ?? randomUUID(), seed, only, startedAt: clock.wall() }
  const opening = clientOpening(subject, opened, version)
  onProgress?.({ is: 'planned', planned, opening })
  const { signal = new AbortController().signal } = options
  const books = openBooks(subject, clock)
  const deps: Telling = { ...books, runner: runner, startService: options.startService, clock, signal }
  const told: Told[] = []
  const announce = (at: number, { id, scenario }: PlannedClientScenario): void =>
    onProgress?.({ is: 'scenario', scenario: id, title: scenario.title, at, of: planned.scenarios.length })
  try {
    await inOrder(
      planned.scenarios,
      runner.concurrency,
      (scenario, index) => {
        announce(index + 1, scenario)
        return tell(scenario, seed, deps)
      },
      (execution, index) => {
        const scenario = planned.scenarios[index]
        if (scenario) told.push(write(scenario, execution, books, onProgress))
      },
    )
  } finally {
    await runner.close()
  }
  const found = told.flatMap((one) => one.found)
  const scenarioRuns = told.flatMap(({ scenarioRun: scenario }) => (scenario ? [scenario] : []))
  const warning = books.used().requests === 0 && found.some(neverActed) ? nobodyCame(subject) : null
  const endedAt = clock.wall()
  const record = clientRecord(subject, {
    planned,
    opening,
    endedAt,
    found,
    scenarioRuns,
    used: books.used(),
    warning,
  })
  return { record, journal: books.journal }
}

function nobodyCame(subject: ClientSubject): string {
  const { baseUrlVariable } = identifiersIn(subject)
  return `the client sent no request in any scenario: it finds where to send it in ${baseUrlVariable}, and what in TOUCHSTONE_TASK`
}

const neverActed = ({ reason }: Finding): boolean => reason === 'client-never-acted'

interface Told {
  found: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

/** What a run has come to, and whether it may go on. */
interface Books {
  journal: Exchange[]
  used: () => RunRecord['used']
  count: (requests: number) => void
  /** Why no further act may be run, or null. */
  spent: () => string | null
}

function openBooks({ budgets }: ClientSubject, clock: Clock): Books {
  let requests = 0
  return {
    journal: [],
    used: () => ({ requests, turns: 0, credits: 0, wallSeconds: clock.now() / 1000 }),
    count: (more) => void (requests += more),
    spent() {
      if (requests >= budgets.requests)
        return `the client may send ${budgets.requests} requests, and sent ${requests}`
      const late = clock.now() > budgets.wallSeconds * 1000
      return late ? `the run may take ${budgets.wallSeconds} seconds, and they are over` : null
    },
  }
}

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was run').ending

interface Telling extends StepDeps, Books {
  startService: StartService
}

/** Runs a scenario to its end, whatever happens; its exchanges count from 1. */
async function tell(planned: PlannedClientScenario, seed: number, deps: Telling): Promise<ScenarioExecution> {
  const { id, scenario, outlook } = planned
  const exchanges: Exchange[] = []
  const notes: Record<string, string | number> = {}
  const ended = (ending: Ending | null, crash: string | null = null): ScenarioExecution => ({
    scenario: id,
    exchanges,
    notes,
    ending,
    crash,
    states: [],
    stuck: [],
  })
  if (outlook) return ended(outlook)
  const services = createServicePool(deps.startService)
  try {
    for (const [name, act] of Object.entries(scenario.steps)) {
      if (deps.signal.aborted) return ended(interrupted)
      const spent = deps.spent()
      if (spent !== null) return ended(notExercised('budget-exhausted', spent).ending)
      const service = await services.for(act, `${seed}/${id}/${name}`)
      const call = { scenario: id, name, firstId: exchanges.length + 1 }
      const execution = await runStep(act, service, call, deps)
      deps.count(execution.requests)
      exchanges.push(...execution.exchanges)
      notes[stepNote(name)] = JSON.stringify(execution.result)
      const more = execution.requests - execution.exchanges.length
      if (more > 0) notes[`not recorded of ${name}`] = `${more} further requests`
      if (deps.signal.aborted) return ended(interrupted)
      if (execution.requests === 0 && !act.maySendNothing) return ended(silent(name, execution.result))
    }
    return ended(null)
  } catch (thrown) {
    return ended(null, thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  } finally {
    await services.close()
  }
}

function silent(act: string, { ended, exitCode, stderr }: StepResult): Ending {
  const how = {
    exit: exitCode === 0 ? '' : `, and ended with ${exitCode ?? 'a signal'}`,
    done: '',
    timeout: ', and did not come to an end in time',
    lost: ', and went away',
  }[ended]
  const last = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, mostQuoted) ?? ''
  const said = how === '' || last === '' ? '' : `: ${last}`
  return notExercised('client-never-acted', `it sent no request in the act \`${act}\`${how}${said}`).ending
}

/** Judges a scenario under the ids that its exchanges have in the run, and tells of it. */
function write(
  { id, scenario, subjects }: PlannedClientScenario,
  execution: ScenarioExecution,
  { journal, used }: Books,
  onProgress: ClientRunOptions['onProgress'],
): Told {
  const asked = (found: readonly Finding[]) => found.filter(({ subject }) => subjects.includes(subject))
  const { exchanges: own, ...planned } = execution
  if (planned.ending?.is === 'not-exercised' && cutOff.has(planned.ending.reason)) {
    const found = asked(notRun(id, scenario, planned.ending))
    for (const finding of found) onProgress?.({ is: 'finding', finding })
    return { found, scenarioRun: null }
  }
  const before = journal.length
  const exchanges = own.map((exchange) => ({ ...exchange, id: exchange.id + before }))
  journal.push(...exchanges)
  for (const exchange of exchanges) onProgress?.({ is: 'exchange', exchange })
  const found = asked(judgeScenario(id, scenario, { ...planned, exchanges }, {}))
  for (const finding of found) onProgress?.({ is: 'finding', finding })
  onProgress?.({ is: 'spent', used: used() })
  onProgress?.({ is: 'told', scenario: planned, used: used() })
  return { found, scenarioRun: planned }
}

/** Of the last line on stderr, which says why a program did not even begin. */
const mostQuoted = 200

/** Of a scenario that was cut off, nothing is kept. */
const cutOff: ReadonlySet<string> = new Set(['interrupted', 'budget-exhausted'])
