/** How a client does its steps: a process for each, a driver that gets them as lines, or a person. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StepResult } from '../../bundle/client-report.ts'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import { errorLineOf } from '../../suites/clients/execution/step.ts'
import { killGroup } from '../../suites/runner/states/providers/hooks.ts'
import { defaultEnv } from '../../suites/clients/command-line/command.ts'
import type { Assignment, ClientRunner, ClientTask } from '../../suites/clients/execution/task.ts'
import type { CommandTask } from '../../suites/clients/execution/task.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import type { Io } from '../io.ts'
import { createReportParser, createReportStore } from './report-lines.ts'
import { fillPlaceholders, taskValues, translateVerb, variablesOf, textOrJson } from './task-variables.ts'
import type { Verbs } from './task-variables.ts'

/** Bytes of stderr that are recorded; output of a command line is judged. */
const [shownBytes, judgedBytes] = [4 << 10, 64 << 10]
/** For bytes in flight when the process exits. */
const lingerMs = 20
/** How long pipes may stay open that a detached child of the command has inherited. */
const pipesMs = 500
/** Of a driver, without a completed step in between. */
const maxRestarts = 3
/** Of a receiver, which each forged delivery may end. */
const maxStarts = 50

type Env = Readonly<Record<string, string | undefined>>

interface RunnerOptions {
  words: readonly string[]
  env: Env
  clock: Clock
  onMessage: (step: string, words: string) => void
}

interface ProcessOptions extends RunnerOptions {
  atOnce: number
  /** What a command line calls the commands of scenarios, where it has other names for them. */
  verbs?: Verbs
  /** Of the service; absent: as the contract writes them. */
  identifiers?: Identifiers
}

/** A client that is started for each step, with the task in its environment and arguments. */
export const processRunner = (options: ProcessOptions): ClientRunner => ({
  concurrency: options.atOnce,
  lingerMs,
  runStep: (assignment, signal) =>
    assignment.task.do === 'command'
      ? runCommandTask(assignment, assignment.task, signal, options)
      : runTask(assignment, signal, options),
  close: () => Promise.resolve(),
})

async function runTask(
  assignment: Assignment,
  signal: AbortSignal,
  { words, env, clock, onMessage, identifiers }: ProcessOptions,
): Promise<StepResult> {
  const { name, limitMs } = assignment
  const values = taskValues(assignment)
  const { reported, add } = createReportStore()
  const parser = createReportParser({ onReport: add, onProblem: (problem) => onMessage(name, problem) })
  const stderr = keepFirst(shownBytes)
  const outcome = await runCommand(
    { words: fillPlaceholders(words, values), env: { ...env, ...variablesOf(values, identifiers) } },
    { out: (bytes) => parser.write(bytes), err: stderr.add },
    { clock, limitMs, signal },
  )
  parser.end()
  return { ...outcome, reported, stdout: '', stderr: stderr.text() }
}

/** Runs the program with the arguments of the task, in an empty home folder. */
function runCommandTask(
  { service, limitMs }: Assignment,
  task: CommandTask,
  signal: AbortSignal,
  { clock, ...options }: ProcessOptions,
): Promise<StepResult> {
  const limits = { clock, limitMs, signal }
  const silent = { out: () => undefined, err: () => undefined }
  return withHome(async (home) => {
    const place = { ...options, home, service }
    for (const before of task.beforehand ?? []) await runCommand(commandFor(before, place), silent, limits)
    const [stdout, stderr] = [keepFirst(judgedBytes), keepFirst(judgedBytes)]
    const outcome = await runCommand(commandFor(task, place), { out: stdout.add, err: stderr.add }, limits)
    return { ...outcome, reported: [], stdout: stdout.text(), stderr: stderr.text() }
  })
}

type Place = Pick<ProcessOptions, 'words' | 'env' | 'verbs' | 'identifiers'> &
  Pick<Assignment, 'service'> & { home: string }

/** `stdin`: text for standard input, which is then closed. */
export type Command = Pick<RunnerOptions, 'words' | 'env'> & { stdin?: string }

/** Without `env`, it is given the base address and the key. */
export function commandFor(
  { words, env: own = defaultEnv, stdin }: Pick<CommandTask, 'words' | 'env' | 'stdin'>,
  { words: command, env, home, service, verbs = {}, identifiers = contractIdentifiers }: Place,
): Command {
  const values = { base_url: service.baseUrl, api_key: service.apiKey, agent: service.agent, home }
  const put = (text: string): string => fillPlaceholders([text], values)[0] ?? ''
  const given = Object.entries(own).map(([name, value]) => [
    withIdentifiers(name, identifiers),
    value === null ? undefined : put(value),
  ])
  const { baseUrlVariable, apiKeyVariable } = identifiers
  // Variables that the user's shell has for the service are not passed on.
  const ofService = [
    baseUrlVariable.replace(/(?<=_)BASE_URL$/, ''),
    apiKeyVariable.replace(/(?<=_)API_KEY$/, ''),
  ]
  const inherited = Object.entries(env).filter(([name]) => !ofService.some((one) => name.startsWith(one)))
  return {
    words: [...command, ...translateVerb(verbs, words).map(put)],
    env: { ...Object.fromEntries(inherited), ...homeIn(home), ...Object.fromEntries(given) },
    stdin,
  }
}

/** Variables for the folders in which programs store user data. */
const homeIn = (home: string): Record<string, string> => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, 'appdata'),
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  XDG_CACHE_HOME: join(home, '.cache'),
})

export async function withHome<T>(doing: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-home-'))
  try {
    return await doing(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Handlers {
  out: (bytes: Uint8Array) => void
  err: (bytes: Uint8Array) => void
}

/** A process in its own group, so that no process of it survives; `ended` has its exit code: 127 if it cannot be started. */
function startProcess({ words: [program = '', ...words], env }: Command, { out, err }: Handlers) {
  const child = spawn(program, words, { env: { ...env }, detached: true, stdio: 'pipe' })
  child.stdout.on('data', out)
  child.stderr.on('data', err)
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      err(Buffer.from(`${program} cannot be run: ${error.message}\n`))
      resolve(127)
    })
    child.once('exit', (code) => resolve(code))
  })
  return { child, ended }
}

/** Runs a command until it exits, `limitMs` have passed or the signal fires; then kills its process group. */
async function runCommand(
  command: Command,
  output: Handlers,
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<Pick<StepResult, 'ended' | 'exitCode'>> {
  const { child, ended } = startProcess(command, output)
  child.stdin.end(command.stdin ?? '')
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const over = new AbortController()
  const limit = clock.sleep(limitMs, AbortSignal.any([signal, over.signal])).then(() => 'limit' as const)
  const first = await Promise.race([ended, limit])
  killGroup(child.pid)
  const exitCode = await ended
  await Promise.race([closed, clock.sleep(pipesMs, over.signal)])
  over.abort()
  release(child)
  return first === 'limit' ? { ended: 'timeout', exitCode: null } : { ended: 'exit', exitCode }
}

/** Starts a command, and again each time it ends, with a line that says how. Returns what stops it for good. */
export function keepRunning(
  command: Command,
  { onEnd, onOutput }: { onEnd: (line: string) => void; onOutput: (bytes: Uint8Array) => void },
  startsLeft = maxStarts,
): () => void {
  const stderr = keepFirst(shownBytes)
  const { child, ended } = startProcess(command, {
    out: onOutput,
    err: (bytes) => (onOutput(bytes), stderr.add(bytes)),
  })
  let stop = (): void => {
    stop = () => undefined
    killGroup(child.pid)
    release(child)
  }
  const first = stop
  void ended.then((code) => {
    if (stop !== first) return
    const line = errorLineOf(stderr.text())
    const isOver = startsLeft === 1
    onEnd(
      `${command.words[0]} ended with ${code ?? 'a signal'}${line && `: ${line}`}; it is ${isOver ? 'not ' : ''}started again`,
    )
    if (!isOver) stop = keepRunning(command, { onEnd, onOutput }, startsLeft - 1)
  })
  return () => stop()
}

/** Closes the pipes, because a process outside the group may keep them open. */
function release(child: ChildProcess): void {
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy()
  child.unref()
}

/** Stores the first bytes of an output, cut between characters. */
export function keepFirst(bytes: number) {
  const pieces: Uint8Array[] = []
  let kept = 0
  return {
    add: (piece: Uint8Array): void => {
      const part = piece.subarray(0, Math.max(0, bytes - kept))
      if (part.length > 0) pieces.push(Uint8Array.from(part))
      kept += part.length
    },
    text: (): string => new TextDecoder().decode(Buffer.concat(pieces), { stream: kept >= bytes }),
  }
}

/** One process of the driver. Output between two steps is ignored. */
interface Driver {
  child: ChildProcess
  exited: AbortSignal
  step: {
    id: number
    store: ReturnType<typeof createReportStore>
    stderr: ReturnType<typeof keepFirst>
    end: () => void
    onProblem: (problem: string) => void
  } | null
}

/** A client that is started once, and gets a JSON line for each step. */
export function driverRunner(options: RunnerOptions): ClientRunner {
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
      const lost = 'the driver exited repeatedly and is not started again\n'
      const current = running()
      if (current === null) return { ended: 'lost', exitCode: null, reported: [], stdout: '', stderr: lost }
      const result = await drive(current, ++steps, assignment, signal, options)
      // A driver that did not finish in time would delay the next step.
      if (result.ended === 'done') restarts = 0
      else end()
      return result
    },
    close: () => Promise.resolve(end()),
  }
}

async function drive(
  driver: Driver,
  id: number,
  { name, service: { baseUrl, apiKey, agent }, task, limitMs }: Assignment,
  signal: AbortSignal,
  { clock, onMessage }: RunnerOptions,
): Promise<StepResult> {
  const done = new AbortController()
  const [store, stderr] = [createReportStore(), keepFirst(shownBytes)]
  const onProblem = (problem: string): void => onMessage(name, problem)
  driver.step = { id, store, stderr, end: () => done.abort(), onProblem }
  driver.child.stdin?.write(`${JSON.stringify({ id, baseUrl, apiKey, agent, task })}\n`)
  await clock.sleep(limitMs, AbortSignal.any([done.signal, driver.exited, signal]))
  driver.step = null
  const ended = done.signal.aborted ? 'done' : driver.exited.aborted ? 'lost' : 'timeout'
  const why = errorLineOf(stderr.text())
  if (ended === 'lost') onProblem(`the driver exited: it probably crashed${why && `: ${why}`}`)
  return { ended, exitCode: null, reported: store.reported, stdout: '', stderr: stderr.text() }
}

function startDriver(options: RunnerOptions): Driver {
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
  const { child, ended } = startProcess(options, {
    out: (bytes) => parser.write(bytes),
    err: (bytes) => driver.step?.stderr.add(bytes),
  })
  const exited = new AbortController()
  const driver: Driver = { child, exited: exited.signal, step: null }
  void ended.then(() => exited.abort())
  return driver
}

/** A client operated by a person, who reads the task, does it and presses Enter. */
export const interactiveRunner = (ask: NonNullable<Io['question']>): ClientRunner => ({
  concurrency: 1,
  async runStep({ name, service, task }, signal) {
    const plain = { exitCode: null, reported: [], stdout: '', stderr: '' }
    const members = {
      'base address': service.baseUrl,
      'API key': service.apiKey,
      agent: service.agent,
      ...task,
    }
    const lines = Object.entries(members).map(([member, value]) => {
      const label = member.startsWith('API')
        ? member
        : member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      return `  ${label.padEnd(15)}  ${textOrJson(value)}`
    })
    const end = `${instructions[task.do]} Press Enter when that is done. `
    try {
      await ask(['', name, ...lines, end].join('\n'), signal)
      return { ended: 'done', ...plain }
    } catch (error) {
      if (signal.aborted) return { ended: 'timeout', ...plain }
      throw error
    }
  },
  close: () => Promise.resolve(),
})

const instructions: Readonly<Record<ClientTask['do'], string>> = {
  chat: 'Send this message with the client.',
  stream: 'Send this message with the client, as a stream.',
  billing: 'Read this with the client.',
  discover: 'List the operations with the client.',
  execute: 'Execute this operation with this input, and wait until it is final.',
  upload: 'Upload this file; its content is in base64.',
  command: 'Run the command line with these arguments.',
}
