/** Runs the suite against a target, writes the reports and prints the summary. */
import { randomInt } from 'node:crypto'
import { reportFiles } from '../../reports/index.ts'
import { secretsOf, tooShortIn } from '../../suites/config/secret-values.ts'
import { redactorOf } from '../../reports/bundle/redaction/run-redactor.ts'
import { reported } from './failed-run.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { collectGarbageEarly } from '../../reports/bundle/garbage.ts'
import { writeRun } from '../../reports/bundle/write-run.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { mustBeLeft } from '../../reports/bundle/folder/ledger.ts'
import { changesSince, openSince, type Earlier } from '../diff/earlier.ts'
import type { Io } from '../io.ts'
import { eventOf } from '../../suites/runner/outcome/run-event.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { ordinaryKeys } from '../plan/ceiling.ts'
import { signerFrom } from '../seal/signer.ts'
import type { CheckOptions } from './options.ts'
import { printRun } from './printed-run.ts'
import { personAt } from './ask-person.ts'
import { originFor } from './origin.ts'
import { createReporter, redacting, type Reporter } from './progress.ts'
import { openTarget, type OpenTarget } from './target.ts'
import { version } from '../version.ts'
import { ownCommand } from '../../reports/bundle/own-command.ts'
import type { RunRecord, Run } from '../../reports/bundle/record.ts'
import { quote } from '../../reports/bundle/curl.ts'
import type { Target } from '../../suites/config/target.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import { counterexampleFilesOf } from '../../suites/counterexample/files.ts'
import { serverScenarios } from '../../suites/scenarios.ts'

/** Returns the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function runCheck(named: string | undefined, options: CheckOptions, io: Io): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'service')
  const place = await openTarget(named, options, io)
  const reporter = createReporter(io, options.quiet ?? false, ordinaryKeys(place.target))
  const onStop = (): void => {
    reporter.end()
    io.err('Stopping: the results so far are reported. Ctrl-C again stops at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', onStop, { once: true })
  try {
    return await checkAt(place, options, { io, reporter, signer, since })
  } finally {
    io.stopped.removeEventListener('abort', onStop)
    reporter.end()
    await place.close()
  }
}

const accountEach =
  '`exclusiveCredits` is declared: give each shard the key of an account of its own, or declare it as false.'

interface Deps {
  io: Io
  reporter: Reporter
  signer: ReturnType<typeof signerFrom>
  since: Earlier | null
}

async function checkAt(
  { target }: OpenTarget,
  options: CheckOptions,
  { io, reporter, signer, since }: Deps,
): Promise<number> {
  if (options.shard && target.exclusiveCredits && target.kind !== 'simulator' && !options.quiet)
    io.err(`${accountEach}\n`)
  if (target.kind !== 'simulator') collectGarbageEarly()
  const redactor = redactorOf(secretsOf(target), options.discloseWebhookSecrets)
  const folder = openFolder(options.out, reportFiles, () => mustBeLeft(options.out, target.kind))
  try {
    const writer = writeRun(folder, target, redactor, io.stopped)
    const shown = fromFirstScenario(redacting(reporter, redactor), (planned) => {
      const advice = waysToSpeedUp(planned, ordinaryKeys(target))
      if (advice !== '' && !options.quiet) io.err(`${advice}\n`)
    })
    const kept = writer.finish(
      // The plan is stored before the first request, so that it cannot be reduced later.
      await runServerUnredacted(target, {
        ...chosen(options, io),
        signal: writer.signal,
        onProgress(progress) {
          const event = eventOf(progress)
          if (event) writer.on(event)
          shown.on(progress)
        },
        ...writer.ledger,
        ask: personAt(io),
      }),
    )
    reporter.end()
    for (const name of tooShortIn(target))
      io.err(
        `${name} is too short to be redacted safely, so it stays in the reports: use 8 characters or more.\n`,
      )
    const counterexamples = (run: typeof kept) => serverCounterexamples(run, target)
    const changes = changesSince(since)
    const written = writeReports(kept, { folder, redactor, signer, changes, counterexamples })
    folder.publish()
    const exitCode = printRun(written, folder.out, options, io)
    const rest = restOf(written.run.record, target)
    // Data goes to stdout; with JSON, everything else is a message.
    const message = options.json ? io.err : io.out
    if (rest !== null) message(`${rest}\n`)
    return exitCode
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}

function chosen(options: CheckOptions, { env }: Io) {
  const { seed, only, shard, allowExec = false } = options
  const some = { ...originFor(options, env), ...(only && { only }), ...(shard && { shard }) }
  // Shards are merged only if all have the same seed.
  const otherwise = shard === undefined ? randomInt(2 ** 31 - 1) : 1
  return { seed: seed ?? otherwise, version: version(), allowExec, ...some }
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
 * The command for the checks that a smoke run of a bare URL leaves out, or null. Without their number: most of them need
 * what only a target file can declare.
 */
function restOf({ plan, run }: RunRecord, target: Target): string | null {
  const { arguments: named = [] } = target
  const isWhole = !plan.leftOut.some(({ by, checks }) => by === 'profile' && checks.length > 0)
  if (run.profile !== 'smoke' || named[0] !== '--base-url' || isWhole) return null
  const words = ['check', ...named, '--profile', 'standard']
  return `More checks: ${ownCommand} ${words.map((word) => quote(Buffer.from(word))).join(' ')}`
}

/** `run` must be redacted. */
export function serverCounterexamples(run: Run, target: Target): ReadonlyMap<string, string> {
  return counterexampleFilesOf(run, { target, scenarios: serverScenarios })
}
