/** Threads of the fuzzer. A thread that hangs is terminated, its input reported and its work continued. */
import { Worker } from 'node:worker_threads'
import type { Recorded } from './corpus.ts'
import { slotIn } from './slot.ts'
import type { Share, FuzzMessage, Work } from './worker.ts'

export interface FuzzOptions {
  seed: number
  recorded: Recorded
  /** Inputs by surface. */
  inputs: ReadonlyMap<string, number>
  names: readonly string[]
  secondsEach: number | null
  threads: number
}

/** For one input; far above what any takes, and short enough to end a run that hangs. */
const hangMs = 10_000
const memoryMb = 1_024

/** Resolves when every thread has ended. */
export async function fuzz(options: FuzzOptions, onMessage: (message: FuzzMessage) => void): Promise<void> {
  const { inputs, threads } = options
  const sharesOf = (thread: number): Share[] =>
    [...inputs].map(([surface, below]) => ({ surface, from: thread, below, step: threads }))
  await Promise.all(
    Array.from({ length: threads }, async (_, number) => {
      for (let left: readonly Share[] | null = sharesOf(number); left !== null;)
        left = await thread(left, options, onMessage)
    }),
  )
}

/** Resolves with the remaining work if the thread died, or null. */
function thread(
  shares: readonly Share[],
  { seed, recorded, secondsEach, names }: FuzzOptions,
  onMessage: (message: FuzzMessage) => void,
): Promise<readonly Share[] | null> {
  const slot = slotIn()
  const data: Work = { seed, recorded, shares, secondsEach, memory: slot.memory }
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  return new Promise((resolve) => {
    let seen = -1
    let broken: string | null = null
    worker.on('message', onMessage)
    worker.on(
      'error',
      (error) => (broken ??= error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
    const watch = setInterval(() => {
      const begun = slot.begun()
      if (begun === seen && begun > 0) {
        broken ??= `hangs: no result within ${hangMs / 1_000} s`
        void worker.terminate()
      }
      seen = begun
    }, hangMs)
    worker.on('exit', () => {
      clearInterval(watch)
      if (broken === null) return resolve(null)
      const { surface: at, number, input } = slot.look()
      const surface = names[at] ?? ''
      onMessage({ is: 'defect', surface, number, input, message: broken })
      const ahead = shares.slice(shares.findIndex((share) => share.surface === surface))
      const [first, ...rest] = ahead
      // A thread that broke before its first input will break again.
      resolve(first && slot.begun() > 0 ? [{ ...first, from: number + first.step }, ...rest] : null)
    })
  })
}
