/** `touchstone client`: runs the scenarios for a client, writes the reports and prints the result. */
import { randomInt } from 'node:crypto'
import { runClient, type ClientSubject, clientCalled } from '../../suites/runner/drivers/client.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { RunRedactor } from '../../reports/bundle/redaction/run-redactor.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { vendorVariables, vendorFrom } from '../vendor.ts'
import { originFor } from '../check/origin.ts'
import { version } from '../version.ts'
import { checkCommandExists, secretsIn, displayedCommand } from './command-words.ts'
import type { ClientOptions } from './options.ts'
import { driverRunner } from './driver-runner.ts'
import { checkPlaceholders } from './task-variables.ts'
import { interactiveRunner } from './interactive-runner.ts'
import { processRunner } from './process-runner.ts'
import { createServices } from './services.ts'
import { verbsFrom } from './verbs.ts'
import { actions, type Action, type ClientRunner } from '../../suites/clients/execution/task.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import { alternatives } from '../nearest.ts'

/** Gives the exit code of the run. Throws UsageError and ConfigurationError. */
export function client(words: readonly string[], options: ClientOptions, io: Io): Promise<number> {
  const { seed = randomInt(2 ** 31 - 1), only } = options
  return judgedRun(options, 'client', io, () => {
    const subject = clientSubject(words, options)
    checkUsage(words, options, io)
    return {
      policy: subject.policy,
      secrets: secretsIn(words, io.env),
      run({ redactor, signal, onProgress }) {
        const clock = realClock()
        const onKey = (value: string): void => redactor.learn({ name: 'key', value })
        return runClient(subject, {
          seed,
          clock: clock,
          runner: runnerFor(words, options, { io, clock: clock, redactor, subject }),
          startService: createServices({ clock: clock, onKey, ...subject }),
          version: version(),
          ...originFor(options, io.env),
          signal,
          onProgress,
          ...(only === undefined ? {} : { only }),
        })
      },
    }
  })
}

function checkUsage(words: readonly string[], options: ClientOptions, io: Io): void {
  const { as, driver, interactive, verb = [] } = options
  if (verb.length > 0 && as !== 'command-line')
    throw new UsageError('--verb is for a command line: add --as command-line.')
  verbsFrom(verb)
  if (interactive) return checkInteractiveUsage(words, options, io)
  if (driver && as === 'command-line')
    throw new UsageError(
      '--driver and --as command-line cannot be combined: a command line is started for each step.',
    )
  if (words.length === 0)
    throw new UsageError(
      'Name the command of the client after --, for example: touchstone client -- python app.py',
    )
  checkCommandExists(words, io.env)
  if (!driver) checkPlaceholders(words)
}

function checkInteractiveUsage(words: readonly string[], { driver }: ClientOptions, { question }: Io): void {
  if (words.length > 0 || driver) throw new UsageError('--interactive and a command cannot be combined.')
  if (question === null)
    throw new UsageError('--interactive needs a terminal; run it in one, or name a command.')
}

interface RunnerDeps {
  io: Io
  clock: Clock
  redactor: RunRedactor
  subject: ClientSubject
}

function runnerFor(
  words: readonly string[],
  { parallel, driver, interactive, verb = [], verbose }: ClientOptions,
  { io, clock, redactor, subject }: RunnerDeps,
): ClientRunner {
  if (interactive && io.question) return interactiveRunner(io.question)
  const onMessage = (step: string, text: string): void => io.err(`${step}: ${redactor.text(text)}\n`)
  const { identifiers } = subject
  const env = { ...io.env, ...vendorVariables(subject) }
  const options = {
    words,
    env,
    clock,
    identifiers,
    onMessage: verbose ? onMessage : firstMessages(onMessage),
  }
  const runner = driver
    ? driverRunner(options)
    : processRunner({ ...options, atOnce: parallel, verbs: verbsFrom(verb) })
  return verbose ? printingStderr(runner, onMessage) : runner
}

type OnMessage = (step: string, text: string) => void

const mostProblems = 5

/** Prints the first messages only, because an error in the output usually repeats in every step. */
function firstMessages(onMessage: OnMessage): OnMessage {
  let count = 0
  return (step, text) => {
    count++
    if (count <= mostProblems) onMessage(step, text)
    if (count === mostProblems) onMessage(step, 'further messages are not shown; use --verbose')
  }
}

function printingStderr(runner: ClientRunner, onMessage: OnMessage): ClientRunner {
  return {
    ...runner,
    async runStep(assignment, signal) {
      const result = await runner.runStep(assignment, signal)
      const { ended, exitCode, stderr } = result
      const how = ended === 'exit' ? `ended with ${exitCode ?? 'a signal'}` : ended
      onMessage(assignment.name, stderr.trim() === '' ? how : `${how}\n${stderr.trimEnd()}`)
      return result
    },
  }
}

function clientSubject(words: readonly string[], options: ClientOptions): ClientSubject {
  const { as, can, maxRequests, maxMinutes, policy } = options
  const plain = clientCalled(options.name ?? displayedCommand(words), { as })
  const { budgets } = plain
  const { vendor, identifiers } = vendorFrom(options)
  return {
    ...plain,
    ...vendorStated(vendor, identifiers),
    can: can === undefined ? plain.can : abilities(can, as),
    budgets: {
      ...budgets,
      requests: maxRequests ?? budgets.requests,
      wallSeconds: maxMinutes === undefined ? budgets.wallSeconds : maxMinutes * 60,
    },
    policy: policy === undefined ? emptyPolicy : loadPolicy(policy, realClock().wall().slice(0, 10)),
  }
}

const tasks: readonly Action[] = actions.filter((action) => action !== 'command')

function abilities(names: readonly string[], as: ClientOptions['as']): readonly Action[] {
  if (as === 'command-line')
    throw new UsageError('--can with --as command-line: a command line is asked for everything; use --only.')
  if (names.length === 0) throw new UsageError(`--can: name at least one of ${tasks.join(', ')}.`)
  const unknown = names.find((name) => !tasks.some((task) => task === name))
  if (unknown !== undefined)
    throw new UsageError(`--can ${unknown}: unknown action; ${alternatives(unknown, tasks)}`)
  return tasks.filter((task) => names.includes(task))
}
