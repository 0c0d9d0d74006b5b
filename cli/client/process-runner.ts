/** A client that is started for each step, with the task in its environment and arguments. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractIdentifiers, type Identifiers, withIdentifiers } from '../../spec/identifiers.ts'
import type { CommandTask, Assignment, ClientRunner } from '../../suites/clients/execution/task.ts'
import type { StepResult } from '../../reports/bundle/client-report.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { runCommand, type Command } from './child-process.ts'
import { fillPlaceholders, taskValues, variablesOf } from './task-variables.ts'
import { keepFirst } from './printed.ts'
import { createReportStore, createReportParser } from './report-lines.ts'
import { type Verbs, translateVerb } from './verbs.ts'
import { defaultEnv } from '../../suites/clients/command-line/command.ts'

export interface ProcessOptions {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  atOnce: number
  /** What a command line calls the commands of scenarios, where it has other names for them. */
  verbs?: Verbs
  /** Of the service; absent: as the contract writes them. */
  identifiers?: Identifiers | undefined
  onMessage: (step: string, words: string) => void
}

/** Bytes of stderr that are recorded. */
const shownBytes = 4 << 10
/** Output of a command line is judged. */
const judgedBytes = 64 << 10
/** For bytes in flight when the process exits. */
const lingerMs = 20

export function processRunner(options: ProcessOptions): ClientRunner {
  return {
    concurrency: options.atOnce,
    lingerMs,
    runStep: (assignment, signal) =>
      assignment.task.do === 'command'
        ? runCommandTask(assignment, assignment.task, signal, options)
        : runTask(assignment, signal, options),
    close: () => Promise.resolve(),
  }
}

async function runTask(
  assignment: Assignment,
  signal: AbortSignal,
  { words, env, clock, onMessage, identifiers }: ProcessOptions,
): Promise<StepResult> {
  const { name, limitMs } = assignment
  const values = taskValues(assignment)
  const store = createReportStore()
  const parser = createReportParser({ onReport: store.add, onProblem: (problem) => onMessage(name, problem) })
  const stderr = keepFirst(shownBytes)
  const command = {
    words: fillPlaceholders(words, values),
    env: { ...env, ...variablesOf(values, identifiers) },
  }
  const outcome = await runCommand(
    command,
    { out: (bytes) => parser.write(bytes), err: (bytes) => stderr.add(bytes) },
    { clock, limitMs, signal },
  )
  parser.end()
  return { ...outcome, reported: store.reported, stdout: '', stderr: stderr.text() }
}

/** Runs the program with the arguments of the task, in an empty home folder. */
function runCommandTask(
  { service, limitMs }: Assignment,
  task: CommandTask,
  signal: AbortSignal,
  { words, env, clock, verbs = {}, identifiers = contractIdentifiers }: ProcessOptions,
): Promise<StepResult> {
  const limits = { clock, limitMs, signal }
  const silent = { out: () => undefined, err: () => undefined }
  return withHome(async (home) => {
    const place = { words, env, home, service, verbs, identifiers }
    for (const before of task.beforehand ?? []) await runCommand(commandFor(before, place), silent, limits)
    const [stdout, stderr] = [keepFirst(judgedBytes), keepFirst(judgedBytes)]
    const output = { out: stdout.add, err: stderr.add }
    const outcome = await runCommand(commandFor(task, place), output, limits)
    return { ...outcome, reported: [], stdout: stdout.text(), stderr: stderr.text() }
  })
}

interface Place {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  home: string
  service: Assignment['service']
  verbs?: Verbs
  identifiers?: Identifiers
}

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
  return {
    words: [...command, ...translateVerb(verbs, words).map(put)],
    env: { ...withoutService(env, identifiers), ...homeIn(home), ...Object.fromEntries(given) },
    ...(stdin === undefined ? {} : { stdin }),
  }
}

/** Without the variables that the user's shell has for the service. */
function withoutService(env: Place['env'], { baseUrlVariable, apiKeyVariable }: Identifiers): Place['env'] {
  const own = [baseUrlVariable.replace(/(?<=_)BASE_URL$/, ''), apiKeyVariable.replace(/(?<=_)API_KEY$/, '')]
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !own.some((beginning) => name.startsWith(beginning))),
  )
}

/** Variables for the folders in which programs store user data. */
function homeIn(home: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'appdata'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
}

export async function withHome<T>(doing: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-home-'))
  try {
    return await doing(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
