/** `touchstone client`: runs the scenarios for a client. */
import { basename } from 'node:path'
import { createRedactor, type Redactor } from '../../bundle/redaction/redaction.ts'
import { actions, type Action, type ClientRunner } from '../../suites/clients/execution/task.ts'
import { clientCalled, runClient, type ClientSubject } from '../../suites/runner/drivers/client.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import { counted } from '../../reports/document/blocks.ts'
import { judgedRun, policyAt } from '../check/judged-run.ts'
import { limitedBy, vendorFound } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { ClientOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { vendorVariables } from '../options.ts'
import { driverRunner, interactiveRunner, processRunner } from './runners.ts'
import { createServices } from './services.ts'
import { checkPlaceholders, mustBeProgram, secretsIn, shownWords, verbsFrom } from './task-variables.ts'

export const client = (words: readonly string[], options: ClientOptions, io: Io): Promise<CommandAnswer> =>
  judgedRun(options, 'client', io, async () => {
    const subject = { ...clientSubject(words, options), ...(await vendorFound(options, io.env)) }
    checkUsage(words, options, io)
    const clock = realClock()
    const redactor = createRedactor(secretsIn(words, io.env))
    const notes: string[] = []
    return {
      notes,
      basis: { dialect: {}, policy: subject.policy },
      redactor,
      others: shownWords(words),
      run(deps) {
        const onKey = (value: string): void => redactor.learn({ name: 'key', value })
        const runner = runnerFor(words, options, { io, clock, redactor, subject, notes })
        const startService = createServices({ clock, onKey, identifiers: subject.identifiers })
        return runClient(subject, { ...deps, clock, runner, startService })
      },
    }
  })

function clientSubject(words: readonly string[], options: ClientOptions): ClientSubject {
  const { as, can } = options
  const plain = clientCalled(options.name ?? displayedCommand(words), { as })
  return {
    ...plain,
    can: can === undefined ? plain.can : abilities(can, as),
    budgets: limitedBy(options, plain.budgets),
    policy: policyAt(options.policy),
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

function checkUsage(words: readonly string[], options: ClientOptions, { env, question }: Io): void {
  const { as, driver, interactive, verb = [] } = options
  if (verb.length > 0 && as !== 'command-line')
    throw new UsageError('--verb is for a command line: add --as command-line.')
  verbsFrom(verb)
  if (interactive && (words.length > 0 || driver))
    throw new UsageError('--interactive and a command cannot be combined.')
  if (interactive && question === null)
    throw new UsageError('--interactive needs a terminal; run it in one, or name a command.')
  if (interactive) return
  if (driver && as === 'command-line')
    throw new UsageError(
      '--driver and --as command-line cannot be combined: a command line is started for each step.',
    )
  const [program] = words
  if (program === undefined)
    throw new UsageError(
      'Name the command of the client after --, for example: touchstone client -- python app.py',
    )
  mustBeProgram(program, env)
  if (!driver) checkPlaceholders(words)
}

const longestName = 100

/** In one line, without secrets. */
function displayedCommand(words: readonly string[]): string {
  if (words.length === 0) return 'a client by hand'
  const [program = '', ...others] = shownWords(words)
  const line = [basename(program), ...others].join(' ').replaceAll(/\s+/g, ' ').trim()
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line
}

interface RunnerDeps {
  io: Io
  clock: Clock
  redactor: Redactor
  subject: ClientSubject
  /** Printed after the run. */
  notes: string[]
}

const mostProblems = 5
const mostNamed = 3

function runnerFor(
  words: readonly string[],
  { parallel, driver, interactive, verb = [], verbose }: ClientOptions,
  { io, clock, redactor, subject, notes }: RunnerDeps,
): ClientRunner {
  if (interactive && io.question) return interactiveRunner(io.question)
  let messages = 0
  const print = (step: string, text: string): void => io.err(`${step}: ${redactor.text(text)}\n`)
  /** The first ones only, because an error in the output usually repeats in every step. */
  const onMessage = (step: string, text: string): void => {
    messages++
    if (verbose || messages <= mostProblems) print(step, text)
    if (!verbose && messages === mostProblems) print(step, 'further messages are not shown; use --verbose')
  }
  const env = { ...io.env, ...vendorVariables(subject) }
  const options = { words, env, clock, identifiers: subject.identifiers, onMessage }
  const runner = driver
    ? driverRunner(options)
    : processRunner({ ...options, atOnce: parallel, verbs: verbsFrom(verb) })
  const late: Parameters<ClientRunner['runStep']>[0][] = []
  return {
    ...runner,
    async close() {
      await runner.close()
      for (const [ms, steps] of Map.groupBy(late, ({ limitMs }) => limitMs)) {
        const names = steps.slice(0, mostNamed).map(({ name }) => name)
        notes.push(
          `client: stopped after ${ms / 1000} s in ${counted(steps.length, 'step')}: ${names.join(', ')}`,
        )
      }
    },
    async runStep(assignment, signal) {
      const result = await runner.runStep(assignment, signal)
      const { ended, exitCode, stderr } = result
      if (ended === 'timeout' && !signal.aborted) late.push(assignment)
      const how = ended === 'exit' ? `ended with ${exitCode ?? 'a signal'}` : ended
      if (verbose) print(assignment.name, stderr.trim() === '' ? how : `${how}\n${stderr.trimEnd()}`)
      return result
    },
  }
}
