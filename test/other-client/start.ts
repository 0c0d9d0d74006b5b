/** The other library and the other command line, each act as a process that is forked from one that has all loaded. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { commandFor, driverRunner, withHome, type Command } from '../../cli/client/runners.ts'
import { taskValues, variablesOf } from '../../cli/client/task-variables.ts'
import { createServices } from '../../cli/client/services.ts'
import { createReportStore, createReportParser } from '../../cli/client/report-lines.ts'
import { runClient, clientCalled } from '../../suites/runner/drivers/client.ts'
import type { CommandTask, Assignment, ClientRunner } from '../../suites/clients/execution/task.ts'
import type { StepResult } from '../../bundle/client-report.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface Ended {
  out: string
  err: string
  code: number
}

interface Source {
  run: (command: Command, limitMs: number, signal: AbortSignal) => Promise<StepResult>
  close: () => void
}

function startSource(program: 'application' | 'command', clock: Clock): Source {
  const child = spawn('python3', ['-B', here('each.py'), program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (ended: Ended) => void>()
  let last = 0
  createInterface(child.stdout).on('line', (line) => {
    const { id, ...ended } = JSON.parse(line) as Ended & { id: number }
    waiting.get(id)?.(ended)
    waiting.delete(id)
  })
  const say = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`)
  return {
    async run({ words, env, stdin = '' }, limitMs, signal) {
      const id = ++last
      const done = new AbortController()
      const ending = new Promise<Ended>((resolve) => waiting.set(id, resolve))
      void ending.then(() => done.abort())
      say({ id, words, env, stdin })
      await clock.sleep(limitMs, AbortSignal.any([done.signal, signal]))
      const late = !done.signal.aborted
      if (late) say({ end: id })
      const { out, err, code } = await ending
      return {
        ended: late ? 'timeout' : 'exit',
        exitCode: late ? null : code,
        reported: [],
        stdout: out,
        stderr: err,
      }
    },
    close: () => void child.kill('SIGKILL'),
  }
}

const inherited = { PATH: process.env['PATH'] }

function runnerFrom(source: Source, words: readonly string[]): ClientRunner {
  return {
    concurrency: 8,
    lingerMs: 20,
    runStep: (assignment, signal) =>
      assignment.task.do === 'command'
        ? runCommandTask(source, words, assignment, assignment.task, signal)
        : runTask(source, words, assignment, signal),
    close: () => Promise.resolve(source.close()),
  }
}

async function runTask(
  source: Source,
  words: readonly string[],
  assignment: Assignment,
  signal: AbortSignal,
): Promise<StepResult> {
  const env = { ...inherited, ...variablesOf(taskValues(assignment)) }
  const ended = await source.run({ words, env }, assignment.limitMs, signal)
  const store = createReportStore()
  const parser = createReportParser({ onReport: store.add, onProblem: () => undefined })
  parser.write(Buffer.from(ended.stdout))
  parser.end()
  return { ...ended, reported: store.reported, stdout: '' }
}

function runCommandTask(
  source: Source,
  words: readonly string[],
  { service, limitMs }: Assignment,
  task: CommandTask,
  signal: AbortSignal,
): Promise<StepResult> {
  return withHome(async (home) => {
    const place = { words, env: inherited, home, service }
    for (const before of task.beforehand ?? []) await source.run(commandFor(before, place), limitMs, signal)
    return source.run(commandFor(task, place), limitMs, signal)
  })
}

interface Asked {
  /** Of those that `clientFaults` lists. */
  fault?: string
  only?: readonly string[]
  /** Of a library: one process for all acts, as with `touchstone client --driver`. */
  driven?: true
  /** Default 1. */
  seed?: number
}

/** What the suite says of the other library, or of the other command line. */
export async function judgedOther(
  as: 'library' | 'command-line',
  { fault, only, driven, seed = 1 }: Asked = {},
): Promise<RunRecord> {
  const clock = realClock()
  const words = fault === undefined ? [] : ['--fault', fault]
  const runner = driven
    ? driverRunner({
        words: ['python3', '-B', here('application.py'), '--driver', ...words],
        env: inherited,
        clock,
        onMessage: () => undefined,
      })
    : runnerFrom(startSource(as === 'library' ? 'application' : 'command', clock), words)
  const startService = createServices({ clock, onKey: () => undefined })
  const options = { seed, runner, startService, clock, ...(only && { only }) }
  const { record } = await runClient(clientCalled(`the other ${as}`, { as }), options)
  return record
}
