/** `touchstone client`: lets a client play its scenarios, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import type { ClientSubject } from '../../suites/clients/subject.ts'
import type { Performer } from '../../suites/clients/execution/client-runner.ts'
import { runClient } from '../../suites/clients/run.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { Cleaning } from '../bundle/cleaning.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { vendorVariables } from '../vendor.ts'
import { version } from '../version.ts'
import { mustExist, secretsIn } from './command-words.ts'
import type { ClientOptions } from './options.ts'
import { driverPerformer } from './driver-runner.ts'
import { mustBePlaceholders } from './task-variables.ts'
import { interactivePerformer } from './interactive-runner.ts'
import { processPerformer } from './process-runner.ts'
import { createStages } from './services.ts'
import { subjectOf } from './subject.ts'
import { verbsFrom } from './verbs.ts'

/** Gives the exit code of the run. Throws UsageError and ConfigurationError. */
export function client(words: readonly string[], options: ClientOptions, io: Io): Promise<number> {
  const { seed = randomInt(2 ** 31 - 1), only } = options
  return judgedRun(options, 'client', io, () => {
    const subject = subjectOf(words, options)
    mustBePlayable(words, options, io)
    return {
      policy: subject.policy,
      secrets: secretsIn(words, io.env),
      run({ cleaning, signal, onProgress }) {
        const clock = realClock()
        const onKey = (value: string): void => cleaning.learn({ name: 'key', value })
        return runClient(subject, {
          seed,
          clock,
          performer: performerFor(words, options, { io, clock, cleaning, subject }),
          open: createStages({ clock, onKey, ...subject }),
          version: version(),
          signal,
          onProgress,
          ...(only === undefined ? {} : { only }),
        })
      },
    }
  })
}

function mustBePlayable(words: readonly string[], options: ClientOptions, io: Io): void {
  const { as, driver, interactive, verb = [] } = options
  if (verb.length > 0 && as !== 'command-line')
    throw new UsageError('--verb is for a command line: add --as command-line.')
  verbsFrom(verb)
  if (interactive) return mustBeByHand(words, options, io)
  if (driver && as === 'command-line')
    throw new UsageError('--driver with --as command-line: a command line is started anew for each act.')
  if (words.length === 0)
    throw new UsageError(
      'Name the command of the client behind --, such as: touchstone client -- python app.py',
    )
  mustExist(words, io.env)
  if (!driver) mustBePlaceholders(words)
}

function mustBeByHand(words: readonly string[], { driver }: ClientOptions, { question }: Io): void {
  if (words.length > 0 || driver)
    throw new UsageError('--interactive: leave the command away, because a person does what it would do.')
  if (question === null)
    throw new UsageError('--interactive: nobody can be asked here; run it in a terminal, or name a command.')
}

interface Deps {
  io: Io
  clock: Clock
  cleaning: Cleaning
  subject: ClientSubject
}

function performerFor(
  words: readonly string[],
  { parallel, driver, interactive, verb = [], verbose }: ClientOptions,
  { io, clock, cleaning, subject }: Deps,
): Performer {
  if (interactive && io.question) return interactivePerformer(io.question)
  const onWords = (act: string, text: string): void => io.err(`${act}: ${cleaning.text(text)}\n`)
  const { identifiers } = subject
  const env = { ...io.env, ...vendorVariables(subject) }
  const told = { words, env, clock, identifiers, onWords: verbose ? onWords : few(onWords) }
  const performer = driver
    ? driverPerformer(told)
    : processPerformer({ ...told, atOnce: parallel, verbs: verbsFrom(verb) })
  return verbose ? spoken(performer, onWords) : performer
}

type OnWords = (act: string, text: string) => void

const mostProblems = 5

/** What is wrong with what a client prints is mostly wrong in every act. */
function few(onWords: OnWords): OnWords {
  let said = 0
  return (act, text) => {
    said++
    if (said <= mostProblems) onWords(act, text)
    if (said === mostProblems) onWords(act, 'no more of this is shown; --verbose shows all of it')
  }
}

/** Prints what the client said on stderr, once an act is over. */
function spoken(performer: Performer, onWords: OnWords): Performer {
  return {
    ...performer,
    async perform(assignment, signal) {
      const performance = await performer.perform(assignment, signal)
      const { ended, exitCode, stderr } = performance
      const how = ended === 'exit' ? `ended with ${exitCode ?? 'a signal'}` : ended
      onWords(assignment.name, stderr.trim() === '' ? how : `${how}\n${stderr.trimEnd()}`)
      return performance
    },
  }
}
