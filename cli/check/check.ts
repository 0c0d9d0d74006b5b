/** `touchstone check`: runs the suite against a target. */
import { quote } from '../../bundle/curl.ts'
import { collectGarbageEarly } from '../../bundle/memory.ts'
import type { Run } from '../../bundle/record.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { secretsOf, tooShortIn } from '../../suites/config/secret-values.ts'
import type { Target } from '../../suites/config/target.ts'
import { counterexampleFilesOf } from '../../suites/counterexample/counterexample.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { pacedCeiling } from '../../suites/runner/plan/selection.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import type { CommandAnswer } from '../command.ts'
import type { CheckOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'
import { ordinaryKeys } from './course.ts'
import { judgedRun } from './judged-run.ts'
import type { Reporter } from './progress.ts'
import { openTarget, personAt } from './target.ts'

const accountEach =
  '`exclusiveCredits` is declared: give each shard the key of an account of its own, or declare it as false.'

export function runCheck(named: string | undefined, options: CheckOptions, io: Io): Promise<CommandAnswer> {
  const { shard, quiet = false, allowExec = false, retries, failFast = false } = options
  return judgedRun(options, 'service', io, async () => {
    const { target, clock, close } = await openTarget(named, options, io)
    const keys = ordinaryKeys(target)
    if (shard && target.exclusiveCredits && target.kind !== 'simulator' && !quiet) io.err(`${accountEach}\n`)
    if (target.kind !== 'simulator') collectGarbageEarly()
    return {
      basis: target,
      keys,
      close,
      redactor: createRedactor(secretsOf(target), options.discloseWebhookSecrets),
      shown: (reporter) =>
        fromFirstScenario(reporter, (planned) => {
          const advice = waysToSpeedUp(planned, keys)
          if (advice !== '' && !quiet) io.err(`${advice}\n`)
        }),
      run: (deps) =>
        runSuite(target, { ...deps, clock, shard, allowExec, retries, failFast, ask: personAt(io) }),
      files: (run) => serverCounterexamples(run, target),
      notes: tooShortIn(target).map(
        (name) =>
          `${name} is too short to be redacted safely, so it stays in the reports: use 8 characters or more.`,
      ),
      more: (run) => restOf(run, target, io),
    }
  })
}

type Planned = Extract<Progress, { is: 'planned' }>

/** Holds the plan back until the first scenario, so that an error of the configuration stands alone. */
function fromFirstScenario(reporter: Reporter, begins: (planned: Planned) => void): Reporter {
  let held: Planned | null = null
  return {
    end: () => reporter.end(),
    on(progress) {
      if (progress.is === 'planned') held = progress
      else if (held === null) reporter.on(progress)
      else if (progress.is === 'scenario') {
        reporter.on(held)
        begins(held)
        held = null
        reporter.on(progress)
      }
    },
  }
}

/** What would make a run on a real clock faster or more complete; empty if it takes a minute. */
function waysToSpeedUp({ opening, planned }: Planned, keys: number): string {
  const { budgets, target, run } = opening
  const isSlow = pacedCeiling(planned.scenarios) > budgets.requestsPerMinute * keys
  if (!isSlow || !['staging', 'production'].includes(target.kind)) return ''
  const faster = run.profile === 'smoke' ? '' : '`--profile smoke`, '
  return `Faster: ${faster}more keys (\`pool\`) or a higher \`budgets.requestsPerMinute\` in a target file.`
}

/**
 * The command for the checks that a smoke run of a bare URL leaves out, or nothing. Without their number: most of them need
 * what only a target file can declare.
 */
function restOf({ record: { plan, run } }: Run, { arguments: named = [] }: Target, { started }: Io): string {
  const isWhole = !plan.leftOut.some(({ by, checks }) => by === 'profile' && checks.length > 0)
  if (run.profile !== 'smoke' || named[0] !== '--base-url' || isWhole) return ''
  const words = ['check', ...named, '--profile', 'standard']
  return `More checks: ${started.as} ${words.map((word) => quote(Buffer.from(word))).join(' ')}\n`
}

/** `run` must be redacted. */
export const serverCounterexamples = (run: Run, target: Target): ReadonlyMap<string, string> =>
  counterexampleFilesOf(run, { target, scenarios: serverScenarios })
