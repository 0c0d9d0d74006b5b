/** One thread of the fuzzer: its share of the inputs of every surface. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { closeNetwork } from './closed-network.ts'
import { corpusOf, type Recorded } from './corpus.ts'
import { drawOf } from './draw.ts'
import { growsTooFast } from './growth.ts'
import { slotIn } from './slot.ts'
import { Defect, type Feed, type Surface } from './surface.ts'

export interface Share {
  surface: string
  /** Numbers of inputs: from, below, and every which. */
  from: number
  below: number
  step: number
}
export interface Work {
  seed: number
  recorded: Recorded
  shares: readonly Share[]
  /** Of wall time, for each surface; null: no limit. */
  secondsEach: number | null
  memory: SharedArrayBuffer
}
export type FuzzMessage =
  | { is: 'defect'; surface: string; number: number; input: Uint8Array; message: string }
  | { is: 'surface'; surface: string; inputs: number; ms: number; heapMb: number }

const { seed, recorded, shares, secondsEach, memory } = workerData as Work
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const send = (message: FuzzMessage): void => parentPort?.postMessage(message)
const slot = slotIn(memory)

closeNetwork()
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Unused compiled patterns are freed only after several collections. */
const collections = 8
/** More growth than this is a leak. */
const heapLimitMb = 48
/** Less growth than this needs no further collection. */
const heapCalmMb = heapLimitMb / 4

/** Memory above `base` after garbage collections, in MB. */
function kept(base: number): number {
  let above = Infinity
  for (let i = 0; i < collections && above > heapCalmMb; i++) {
    collect()
    slot.beat()
    const { heapUsed, external } = process.memoryUsage()
    above = (heapUsed + external) / 1_048_576 - base
  }
  return above
}
/** Inputs between two health checks. */
const lookEvery = 1_000
/** Enough to fill caches and load lazy modules. */
const warmInputs = 300

const words = (error: unknown): string =>
  error instanceof Defect ? error.message : String((error as Partial<Error> | undefined)?.stack ?? error)

let current = ''
function report(error: unknown): void {
  const { number, input } = slot.look()
  send({ is: 'defect', surface: current, number, input, message: words(error) })
}
process.on('uncaughtException', report).on('unhandledRejection', report)

async function guarded(work: () => void | Promise<void>): Promise<void> {
  try {
    const pending = work()
    if (pending) await pending
  } catch (error) {
    report(error)
  }
}

async function feedShare(surface: Surface, feed: Feed, share: Share, make: (number: number) => Uint8Array) {
  const until = secondsEach === null ? Infinity : performance.now() + secondsEach * 1_000
  const began = performance.now()
  let inputs = 0
  let base = 0
  for (let number = share.from; number < share.below && performance.now() < until; number += share.step) {
    if (inputs === warmInputs) base = kept(0)
    const input = make(number)
    slot.put(index, number, input)
    inputs += 1
    await guarded(() => feed.feed(input))
    if (feed.checkHealth && inputs % lookEvery === 0) await guarded(() => feed.checkHealth?.())
  }
  await guarded(() => feed.checkHealth?.())
  const ms = performance.now() - began
  const heapMb = inputs > warmInputs ? kept(base) : 0
  if (heapMb > heapLimitMb)
    report(
      new Defect(
        `${Math.round(heapMb)} MB more are in use after ${inputs} inputs; the limit is ${heapLimitMb}`,
      ),
    )
  // The share is finished, so an input that hangs is reported without continuing.
  const watched = (input: Uint8Array): void | Promise<void> => {
    slot.put(index, share.below, input)
    return feed.feed(input)
  }
  if (share.from === index % share.step)
    for (const message of await growsTooFast(surface, { feed: watched }))
      report(new Defect(`time grows faster than the input: ${message}`))
  send({ is: 'surface', surface: share.surface, inputs, ms, heapMb })
}

const { surfaces } = await import('./surfaces/index.ts')
const corpus = corpusOf(recorded)
let index = 0
for (const share of shares) {
  const surface = surfaces[share.surface]
  if (!surface) throw new Error(`unknown surface ${share.surface}`)
  current = share.surface
  index = Object.keys(surfaces).indexOf(share.surface)
  const seeds = surface.seeds(corpus)
  const feed = await surface.open(corpus)
  const make = (number: number): Uint8Array => {
    const draw = drawOf(seed, share.surface, number)
    // The unchanged seeds come first.
    return seeds[number] ?? surface.change(draw.from(seeds), draw, seeds)
  }
  await feedShare(surface, feed, share, make)
  await feed.close?.()
}
process.exit(0)
