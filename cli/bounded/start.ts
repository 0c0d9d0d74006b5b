/**
 * Runs a command over a long run in a thread whose heap has a bound: without one it grows to more than twice what is
 * used.
 */
import { getCompileCacheDir } from 'node:module'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { hasLongJournal } from '../rejudge/long-journal.ts'
import type { Io } from '../io.ts'
import type { BoundedWork, ThreadMessage } from './thread.ts'

/** 50,000 exchanges take up to 100 MB of it. */
const bound: ResourceLimits = { maxOldGenerationSizeMb: 115, maxYoungGenerationSizeMb: 16 }

/** Whether a word of a command line is the folder of a long run, or the folder that is meant without one has it. */
export const asksForBound = (words: readonly string[]): boolean =>
  [...words, 'touchstone-report'].some(hasLongJournal)

/**
 * `program`: a file that calls `runInThread`, and the words that make it do so. Returns the exit code; null where that was too
 * little memory, or the thread failed: then nothing was printed.
 */
export function runBounded(
  program: readonly [file: string, ...words: string[]],
  argv: readonly string[],
  io: Io,
  resourceLimits = bound,
): Promise<number | null> {
  const [file, ...words] = program
  const { env, width, colour } = io
  const work: BoundedWork = { argv, width, colour }
  const cache = getCompileCacheDir()
  const thread = new Worker(file, {
    argv: words,
    workerData: work,
    execArgv: [],
    env: { ...env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    resourceLimits,
  })
  const printed: ThreadMessage[] = []
  return new Promise((resolve) => {
    thread.on('message', (message: ThreadMessage) => void printed.push(message))
    thread.once('error', () => resolve(null))
    thread.once('exit', () => {
      const last = printed.pop()
      if (last?.to !== 'end') return resolve(null)
      for (const { to, text } of printed) if (to !== 'end') io[to](text)
      resolve(Number(last.text))
    })
  })
}
