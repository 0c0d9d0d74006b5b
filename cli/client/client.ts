/** `touchstone client`: lets a client play its stories, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import type { Performer } from '../../suites/clients/performer.ts'
import { runClient } from '../../suites/clients/run.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { Cleaning } from '../bundle/cleaning.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { mustExist, secretsIn } from './command-words.ts'
import type { ClientOptions } from './command.ts'
import { processPerformer } from './process.ts'
import { createStages } from './stages.ts'
import { subjectOf } from './subject.ts'

/** Gives the exit code of the run. Throws UsageError and ConfigurationError. */
export function client(words: readonly string[], options: ClientOptions, io: Io): Promise<number> {
  const { seed = randomInt(2 ** 31 - 1), only } = options
  return judgedRun(options, 'client', io, () => {
    const subject = subjectOf(words, options)
    mustBePlayable(words, options, io)
    return {
      policy: subject.policy,
      secrets: secretsIn(words, io.env),
      play({ cleaning, signal, onProgress }) {
        const clock = realClock()
        const onKey = (value: string): void => cleaning.learn({ name: 'key', value })
        return runClient(subject, {
          seed,
          clock,
          performer: performerFor(words, options, { io, clock, cleaning }),
          open: createStages({ clock, onKey }),
          version: version(),
          signal,
          onProgress,
          ...(only === undefined ? {} : { only }),
        })
      },
    }
  })
}

function mustBePlayable(words: readonly string[], { as, driver }: ClientOptions, io: Io): void {
  if (driver && as === 'command-line')
    throw new UsageError('--driver with --as command-line: a command line is started anew for each act.')
  if (words.length === 0)
    throw new UsageError(
      'Name the command of the client behind --, such as: touchstone client -- python app.py',
    )
  mustExist(words, io.env)
}

interface Means {
  io: Io
  clock: Clock
  cleaning: Cleaning
}

function performerFor(
  words: readonly string[],
  { parallel }: ClientOptions,
  { io, clock, cleaning }: Means,
): Performer {
  const onWords = (act: string, text: string): void => io.err(`${act}: ${cleaning.text(text)}\n`)
  return processPerformer({ words, env: io.env, clock, atOnce: parallel, onWords })
}
