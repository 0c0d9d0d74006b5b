/** Runs the suite inside an embedded vitest: no configuration, no files of its own, one worker. */
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import type { createVitest, Reporter } from 'vitest/node'
import type { Run } from '../../reports/bundle/record.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import type { Target } from '../config/target.ts'
import {
  acknowledge,
  errorOf,
  type EmbeddedTask,
  type EmbeddedReply,
  type EmbeddedEvent,
} from './embedded-task.ts'

export interface EmbedOptions {
  /** Vitest reporters beside ours. */
  reporters?: Reporter[]
  /** Called with each event before the run goes on. What it throws ends the run, and is thrown. */
  onEvent?: (event: EmbeddedEvent) => void
  /** Ends the run early, at the next event; the remaining scenarios are not tested. */
  signal?: AbortSignal
}

/**
 * Throws what the engine throws, and a ConfigurationError when vitest is not installed. The scenarios of a server only: others cannot be handed to a worker.
 */
export async function runInVitest(
  target: Target,
  options: EmbeddedTask['options'],
  { reporters = [], ...listening }: EmbedOptions = {},
): Promise<Run> {
  const create = await vitest()
  const channel = `touchstone ${randomUUID()}`
  const task: EmbeddedTask = { target, options, channel }
  const replies = listen(channel, listening)
  const problems: unknown[] = []
  const exitCode = process.exitCode
  const runner = await create('test', {
    ...settings(),
    provide: { touchstone: task },
    reporters: [problemsInto(problems), ...reporters],
  })
  try {
    await runner.start()
    const reply = await replies.last()
    if (reply && 'thrown' in reply) throw reply.thrown
    if (reply && 'run' in reply) return reply.run
    if (reply) throw errorOf(reply.refused)
    throw new Error('the embedded vitest ended without a run', { cause: problems })
  } finally {
    replies.close()
    await runner.close()
    // A test that fails is a finding; what it means for the process is for the caller to say.
    process.exitCode = exitCode
  }
}

async function vitest(): Promise<typeof createVitest> {
  try {
    return (await import('vitest/node')).createVitest
  } catch (cause) {
    const error = new ConfigurationError('vitest is not installed; run npm install --save-dev vitest')
    error.cause = cause
    throw error
  }
}

function settings() {
  const here = fileURLToPath(import.meta.url)
  return {
    root: dirname(here),
    config: false as const,
    watch: false,
    include: [here.endsWith('.ts') ? 'entry.ts' : 'entry.js'],
    // The package may stand under node_modules, which is excluded by default.
    exclude: [],
    pool: 'threads' as const,
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    cache: false as const,
  }
}

/** Keeps what went wrong outside of tests, such as a file that could not be imported. */
function problemsInto(problems: unknown[]): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      problems.push(...unhandled, ...modules.flatMap((module) => module.errors()))
    },
  }
}

type Last = Exclude<EmbeddedReply, { event: unknown }> | { thrown: unknown }

interface Replies {
  /** The result of the run, or null if there is none yet. */
  last(): Promise<Last | null>
  close(): void
}

function listen(name: string, { onEvent, signal }: EmbedOptions): Replies {
  const channel = new BroadcastChannel(name)
  const received: Last[] = []
  const receive = (reply: EmbeddedReply): void => {
    if (!('event' in reply)) return void received.push(reply)
    try {
      acknowledge(
        reply.acknowledgement,
        () => onEvent?.(reply.event),
        () => signal?.aborted !== true,
      )
    } catch (thrown) {
      received.push({ thrown })
    }
  }
  channel.addEventListener('message', (event) => receive((event as unknown as { data: EmbeddedReply }).data))
  return {
    async last() {
      // What was posted before the worker ended is delivered within the next turns of the loop.
      for (let turn = 0; turn < 100 && received.length === 0; turn++)
        await new Promise((resolve) => setImmediate(resolve))
      return received[0] ?? null
    },
    close: () => channel.close(),
  }
}
