/** The suite inside a user's own vitest: one test per planned check, each scenario run once. */
// oxlint-disable vitest/valid-title, vitest/expect-expect -- the tests come from a plan, and their verdicts from judges
import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest'
import { clauses, clauseText, gaps, identifiersIn, type ClauseId, type GapId } from '../../spec/index.ts'
import { serverScenarios } from '../scenarios.ts'
import type { CheckSubject } from '../runner/outcome/judge.ts'
import type { PlannedScenario } from '../runner/plan/plan.ts'
import { type RunOptions, openSession, waitingOf } from '../runner/drivers/server.ts'
import type { RunLoop } from '../runner/run-loop.ts'
import { clauseSetOf, contractOf } from '../policy/clause-set-file.ts'
import { marked } from '../policy/expected.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import type { Target } from '../config/target.ts'
import { realClock } from '../wire/clock.ts'
import { testOutcomeOf } from './outcome.ts'

export interface ContractOptions extends Partial<RunOptions> {
  title?: string
  /** Receives the run when it has ended, redacted; `saveRun` stores it. */
  onRun?: (run: Run) => void | Promise<void>
}

/** To be called at the top of a test file. Throws a ConfigurationError when `only` matches nothing. */
export function describeContract(target: Target, options: ContractOptions = {}): void {
  const { title = `the contract, kept by ${target.name}`, onRun, ...rest } = options
  const clock = rest.clock ?? realClock()
  const session = openSession(target, { seed: 1, scenarios: serverScenarios, ...rest, clock })
  const { scenarios } = session.planned
  const terms = {
    policy: target.policy,
    counted: clauseSetOf(target.contract ?? contractOf()),
    today: clock.wall().slice(0, 10),
  }
  // Waiting for the rate of the target is part of a test; the budget holds the run as a whole.
  const timeout = target.budgets.wallSeconds * 1000
  const runIt = inTurn(session, target)
  const ended: { run?: Run } = {}
  const end = async (): Promise<Run> => (ended.run ??= await session.end())

  describe(title, { timeout }, () => {
    beforeAll(async () => {
      await session.begin()
    })
    afterAll(async () => {
      const run = await end()
      await onRun?.(run)
    })
    for (const scenario of scenarios)
      describe(scenario.id, () => {
        test.for(scenario.subjects.map((subject) => [titleOf(subject, target), subject] as const))(
          '%s',
          async ([, subject], context) => {
            const findings = await runIt(scenario)
            const finding = findings.find((candidate) => candidate.subject === subject)
            if (!finding) throw new Error(`the suite itself erred: ${scenario.id}/${subject} has no verdict`)
            report(marked(finding, terms), context, { session, target })
          },
        )
      })
    // Without it a run in which everything was skipped would be green.
    test('the run passes its policy', async () => {
      const { gate } = (await end()).record
      if (!gate.passed) throw new ContractBroken(gate.because.join('\n'))
    })
  })
}

/**
 * Runs each scenario once, when its first check asks for it, and never two at a time, but for those that mostly wait: the first of
 * them to be asked for begins them all.
 */
function inTurn(session: RunLoop, target: Target) {
  const started = new Map<string, Promise<readonly Finding[]>>()
  let last: Promise<unknown> = Promise.resolve()
  const waiting = waitingOf(session.planned.scenarios, target)
  function begin(scenarios: readonly PlannedScenario[]): void {
    const before = last
    const running = scenarios.map((scenario) => {
      const findings = before.then(() => session.run(scenario))
      started.set(scenario.id, findings)
      return findings.catch(() => undefined)
    })
    last = Promise.all(running)
  }
  return (scenario: PlannedScenario): Promise<readonly Finding[]> => {
    if (!started.has(scenario.id)) begin(waiting.includes(scenario) ? waiting : [scenario])
    return started.get(scenario.id) ?? Promise.reject(new Error(`${scenario.id} was never started`))
  }
}

function titleOf(subject: CheckSubject, target: Target): string {
  return subject in clauses
    ? `${subject}: ${clauseText(subject as ClauseId, identifiersIn(target))}`
    : `${subject}: ${gaps[subject as GapId].question}`
}

interface Shown {
  session: RunLoop
  target: Target
}

function report(finding: Finding, context: TestContext, { session, target }: Shown): void {
  const exchange = session.exchange(finding.evidence[0])
  const outcome = testOutcomeOf({ finding, exchange, ...target })
  Object.assign(context.task.meta, { touchstone: { check: finding.check, verdict: finding.verdict } })
  if (outcome.is === 'failed') throw new ContractBroken(outcome.message)
  if (outcome.is === 'skipped') context.skip(outcome.note)
  if (outcome.is === 'warned') console.warn(outcome.note)
  if (outcome.is === 'passed' && outcome.note !== undefined)
    Object.assign(context.task.meta, { note: outcome.note })
}

/** Its message says it all; a stack would point into the suite. */
class ContractBroken extends Error {
  override name = 'ContractBroken'
  override stack = ''
}
