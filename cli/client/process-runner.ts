/** A client that is started anew for each act: it is told what to do in its environment, and in its words. */
import { contractIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import type { Assignment, Performer } from '../../suites/clients/execution/client-runner.ts'
import type { CommandTask } from '../../suites/clients/execution/task.ts'
import type { Performance } from '../../suites/clients/execution/report.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { runCommand } from './child-process.ts'
import { commandOf, withHome } from './command-task.ts'
import { filled, handed, variablesOf } from './task-variables.ts'
import { keepFirst } from './printed.ts'
import { keepTold, listen } from './report-lines.ts'
import type { Verbs } from './verbs.ts'

export interface ProcessOptions {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  atOnce: number
  /** What a command line calls the commands of scenarios, where it has other names for them. */
  verbs?: Verbs
  /** Of the service; absent: as the contract writes them. */
  identifiers?: Identifiers | undefined
  /** Words for a person, with the name of the act. */
  onWords: (act: string, words: string) => void
}

/** What of the words on stderr is kept for whoever looks into a failure. */
const shownBytes = 4 << 10
/** What a command line prints is judged. */
const judgedBytes = 64 << 10
/** For bytes that the process had handed to this machine when it ended. */
const lingerMs = 20

export function processPerformer(options: ProcessOptions): Performer {
  return {
    atOnce: options.atOnce,
    lingerMs,
    perform: (assignment, signal) =>
      assignment.task.do === 'command'
        ? performCommand(assignment, assignment.task, signal, options)
        : performAct(assignment, signal, options),
    close: () => Promise.resolve(),
  }
}

async function performAct(
  assignment: Assignment,
  signal: AbortSignal,
  { words, env, clock, onWords, identifiers }: ProcessOptions,
): Promise<Performance> {
  const { name, limitMs } = assignment
  const values = handed(assignment)
  const kept = keepTold()
  const said = listen({ onTold: kept.add, onProblem: (problem) => onWords(name, problem) })
  const stderr = keepFirst(shownBytes)
  const command = { words: filled(words, values), env: { ...env, ...variablesOf(values, identifiers) } }
  const ended = await runCommand(
    command,
    { out: (bytes) => said.hear(bytes), err: (bytes) => stderr.add(bytes) },
    { clock, limitMs, signal },
  )
  said.end()
  return { ...ended, told: kept.told, stdout: '', stderr: stderr.text() }
}

/** The command is the program itself: the words of the task are put behind it, in a home folder of its own. */
function performCommand(
  { stage, limitMs }: Assignment,
  task: CommandTask,
  signal: AbortSignal,
  { words, env, clock, verbs = {}, identifiers = contractIdentifiers }: ProcessOptions,
): Promise<Performance> {
  const limits = { clock, limitMs, signal }
  const silent = { out: () => undefined, err: () => undefined }
  return withHome(async (home) => {
    const place = { words, env, home, stage, verbs, identifiers }
    for (const before of task.before ?? []) await runCommand(commandOf(before, place), silent, limits)
    const [stdout, stderr] = [keepFirst(judgedBytes), keepFirst(judgedBytes)]
    const heard = { out: stdout.add, err: stderr.add }
    const ended = await runCommand(commandOf(task, place), heard, limits)
    return { ...ended, told: [], stdout: stdout.text(), stderr: stderr.text() }
  })
}
