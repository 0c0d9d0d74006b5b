/** `touchstone client`: runs the scenarios for a client, writes the reports and prints the result. */
import { randomInt } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { spawn, type ChildProcess } from 'node:child_process'
import { runClient, type ClientSubject, clientCalled } from '../../suites/runner/drivers/client.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { RunRedactor } from '../../reports/bundle/redaction/run-redactor.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { vendorVariables, vendorFrom } from '../vendor.ts'
import { originFor } from '../check/origin.ts'
import { version } from '../version.ts'
import type { ClientOptions } from './options.ts'
import { checkPlaceholders } from './task-variables.ts'
import { interactiveRunner } from './interactive-runner.ts'
import { processRunner } from './process-runner.ts'
import { createServices } from './services.ts'
import { verbsFrom } from './verbs.ts'
import {
  actions,
  type Action,
  type ClientRunner,
  type Assignment,
} from '../../suites/clients/execution/task.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import { alternatives } from '../nearest.ts'
import type { Secret } from '../../reports/bundle/redaction/redaction.ts'
import type { StepResult, ClientReport } from '../../reports/bundle/client-report.ts'
import { killGroup, release } from './child-process.ts'
import { keepFirst, type Printed } from './printed.ts'
import { createReportStore, createReportParser } from './report-lines.ts'

interface DriverOptions {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  onMessage: (step: string, words: string) => void
}

/** Restarts without a completed step in between. */
const maxRestarts = 3
const shownBytes = 4 << 10

interface CurrentStep {
  id: number
  store: ReturnType<typeof createReportStore>
  stderr: Printed
  end: () => void
  onProblem: (problem: string) => void
}

/** One process of the driver. Output between two steps is ignored. */
interface Driver {
  child: ChildProcess
  exited: AbortSignal
  step: CurrentStep | null
}

export function driverRunner(options: DriverOptions): ClientRunner {
  let driver: Driver | null = null
  let restarts = -1
  let steps = 0

  const running = (): Driver | null => {
    if (driver && !driver.exited.aborted) return driver
    if (restarts >= maxRestarts) return null
    restarts++
    return (driver = startDriver(options))
  }
  const end = (): void => {
    if (!driver) return
    killGroup(driver.child.pid)
    release(driver.child)
    driver = null
  }

  return {
    concurrency: 1,
    async runStep(assignment, signal) {
      const current = running()
      if (current === null) return lost('the driver exited repeatedly and is not started again\n')
      const { ended, reported, stderr } = await drive(current, ++steps, assignment, signal, options)
      // A driver that did not finish in time would delay the next step.
      if (ended === 'done') restarts = 0
      else end()
      return { ended, exitCode: null, reported, stdout: '', stderr }
    },
    close() {
      end()
      return Promise.resolve()
    },
  }
}

function lost(stderr: string): StepResult {
  return { ended: 'lost', exitCode: null, reported: [], stdout: '', stderr }
}

async function drive(
  driver: Driver,
  id: number,
  { name, service, task, limitMs }: Assignment,
  signal: AbortSignal,
  { clock, onMessage }: DriverOptions,
): Promise<{ ended: StepResult['ended']; reported: readonly ClientReport[]; stderr: string }> {
  const done = new AbortController()
  const step: CurrentStep = {
    id,
    store: createReportStore(),
    stderr: keepFirst(shownBytes),
    end: () => done.abort(),
    onProblem: (problem) => onMessage(name, problem),
  }
  driver.step = step
  const { baseUrl, apiKey, agent } = service
  driver.child.stdin?.write(`${JSON.stringify({ id, baseUrl, apiKey, agent, task })}\n`)
  await clock.sleep(limitMs, AbortSignal.any([done.signal, driver.exited, signal]))
  driver.step = null
  const ended = done.signal.aborted ? 'done' : driver.exited.aborted ? 'lost' : 'timeout'
  return { ended, reported: step.store.reported, stderr: step.stderr.text() }
}

function startDriver({ words: [program = '', ...words], env }: DriverOptions): Driver {
  const child = spawn(program, words, { env: { ...env }, detached: true, stdio: 'pipe' })
  const exited = new AbortController()
  const driver: Driver = { child, exited: exited.signal, step: null }
  const parser = createReportParser({
    onReport: (report) => driver.step?.store.add(report),
    onProblem: (problem) => driver.step?.onProblem(problem),
    onOther: ({ end }) => {
      const { step } = driver
      if (end === step?.id) step?.end()
      else if (end !== undefined && (typeof end !== 'number' || end > (step?.id ?? 0)))
        step?.onProblem(
          `{"end":${JSON.stringify(end)}} does not end a step: the current one has the id ${step.id}`,
        )
    },
  })
  child.stdout.on('data', (bytes: Buffer) => parser.write(bytes))
  child.stderr.on('data', (bytes: Buffer) => driver.step?.stderr.add(bytes))
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined)
  child.once('error', (error) => {
    driver.step?.stderr.add(Buffer.from(`${program} cannot be run: ${error.message}\n`))
    exited.abort()
  })
  child.once('exit', () => exited.abort())
  return driver
}

const secretOption = /(key|token|secret|passw(or)?d|credential|auth)s?$/i
const option = /^(--?[\w.-]+)[=:](.+)$/s
const placeholder = /^\{[a-z_]+\}$/
/** Shorter values are ordinary words. */
const shortest = 8
const longestName = 100

/** Values of options with secret names, and of environment variables with secret names. */
function secretsIn(words: readonly string[], env: Io['env']): readonly Secret[] {
  const named = words.flatMap((word, at) => valueIn(word) ?? valueIn(words[at - 1] ?? '', word) ?? [])
  const variables = Object.entries(env).flatMap(([name, value = '']) =>
    secretOption.test(name) && value.length >= shortest && words.some((word) => word.includes(value))
      ? [value]
      : [],
  )
  return [...new Set([...named, ...variables])]
    .filter((value) => value.length >= shortest && !placeholder.test(value))
    .map((value, at) => ({ name: `command:${at + 1}`, value }))
}

/** The value of `--token=x`, or of `--token` where `next` is what follows it. */
function valueIn(word: string, next?: string): string | undefined {
  const [, name = '', value] = option.exec(word) ?? []
  if (next === undefined) return secretOption.test(name) ? value : undefined
  return /^--?[\w.-]+$/.test(word) && secretOption.test(word) ? next : undefined
}

/** In one line, without secrets. */
function displayedCommand(words: readonly string[]): string {
  if (words.length === 0) return 'a client by hand'
  const [program = '', ...others] = words
  const spoken = [basename(program), ...others].map((word, at) => {
    const value = valueIn(word)
    if (value !== undefined) return `${word.slice(0, -value.length)}…`
    return valueIn(words[at - 1] ?? '', word) === undefined || placeholder.test(word) ? word : '…'
  })
  const line = spoken.join(' ').replaceAll(/\s+/g, ' ').trim()
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line
}

/** Throws a UsageError if the command does not exist. */
function checkCommandExists([program = '']: readonly string[], env: Io['env']): void {
  const places = /[/\\]/.test(program)
    ? [program]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder || '.', program))
  if (places.some(isProgram)) return
  throw new UsageError(
    `${program}: there is no such executable; check its name${/\.\w+$/.test(program) ? ', or put its interpreter before it' : ''}.`,
  )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

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
