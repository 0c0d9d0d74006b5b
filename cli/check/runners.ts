/** What plays the suite: the engine itself, or a vitest that embeds it. Both come to the same record. */
import { randomInt } from 'node:crypto'
import { serverScenarios } from '../../suites/scenarios.ts'
import { planRun } from '../../suites/engine/plan.ts'
import { runSuite } from '../../suites/engine/run.ts'
import type { Run } from '../../suites/record.ts'
import type { Target } from '../../suites/target/target.ts'
import type { Io } from '../io.ts'
import { version } from '../version.ts'
import { writePlan } from '../bundle/bundle.ts'
import type { CheckOptions } from './command.ts'
import type { Folder } from '../bundle/folder.ts'
import { openLedger } from '../bundle/ledger.ts'
import { personAt } from './person.ts'
import type { Reporter } from './progress.ts'

interface Means {
  io: Io
  reporter: Reporter
  folder: Folder
}

export type Runner = (target: Target, options: CheckOptions, means: Means) => Promise<Run>

/** Each writes the plan before its first request, so that nobody can say later that less was planned. */
export const runners: Readonly<Record<CheckOptions['runner'], Runner>> = {
  engine: (target, options, { io, reporter, folder }) =>
    runSuite(target, {
      ...chosen(options),
      signal: io.stopped,
      onProgress(progress) {
        if (progress.is === 'planned') writePlan(progress.planned.plan, folder)
        reporter.on(progress)
      },
      ...openLedger(folder),
      ask: personAt(io),
    }),

  async vitest(target, options, { folder }) {
    const { runInVitest } = await import('../../suites/vitest/embed.ts')
    writePlan(planRun(serverScenarios, target, options.only).plan, folder)
    return runInVitest(target, chosen(options))
  },
}

function chosen({ seed, only, allowExec = false }: CheckOptions) {
  const some = only === undefined ? {} : { only }
  return { seed: seed ?? randomInt(2 ** 31 - 1), version: version(), allowExec, ...some }
}
