/** The two runners of the suite: the engine itself, or an embedded vitest. Both return the same record. */
import { randomInt } from 'node:crypto'
import { eventOf } from '../../suites/runner/outcome/run-event.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Target } from '../../suites/config/target.ts'
import type { EmbeddedEvent } from '../../suites/vitest/embedded-task.ts'
import type { Io } from '../io.ts'
import { originFor } from './origin.ts'
import { version } from '../version.ts'
import type { RunWriter } from '../../reports/bundle/write-run.ts'
import type { CheckOptions } from './options.ts'
import { personAt } from './ask-person.ts'
import type { Reporter } from './progress.ts'

interface Deps {
  io: Io
  reporter: Reporter
  writer: RunWriter
}

export type Runner = (target: Target, options: CheckOptions, deps: Deps) => Promise<Run>

/** Each stores the plan before the first request, so that the plan cannot be reduced later. */
export const runners: Readonly<Record<CheckOptions['runner'], Runner>> = {
  engine: (target, options, { io, reporter, writer }) =>
    runServerUnredacted(target, {
      ...chosen(options, io),
      signal: writer.signal,
      onProgress(progress) {
        const event = eventOf(progress)
        if (event) writer.on(event)
        reporter.on(progress)
      },
      ...writer.ledger,
      ask: personAt(io),
    }),

  async vitest(target, options, { io, writer }) {
    const { runInVitest } = await import('../../suites/vitest/embed.ts')
    const onEvent = (event: EmbeddedEvent): void => keep(event, writer)
    return runInVitest(target, chosen(options, io), { onEvent, signal: writer.signal })
  },
}

function keep(event: EmbeddedEvent, writer: RunWriter): void {
  if (event.is === 'created') writer.ledger.onCreate(event.entry)
  else if (event.is === 'gone') writer.ledger.onGone(event.id)
  else writer.on(event)
}

function chosen(options: CheckOptions, { env }: Io) {
  const { seed, only, shard, allowExec = false } = options
  const some = { ...originFor(options, env), ...(only && { only }), ...(shard && { shard }) }
  // Shards are merged only if all have the same seed.
  const otherwise = shard === undefined ? randomInt(2 ** 31 - 1) : 1
  return { seed: seed ?? otherwise, version: version(), allowExec, ...some }
}
