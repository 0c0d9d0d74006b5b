/** The target's clock, as the run knows it: real time, and what the run advanced it by. All scenarios share it. */
import type { Clock } from '../../wire/clock.ts'

export interface SharedTime {
  /** Milliseconds on the target's clock since the run began. */
  now(): number
  /** Moves the target's clock on; absent where it goes by itself. */
  advance?: (ms: number) => Promise<void>
  /** For how long on it, as it was moved on last, nothing falls due that the target knows of; 0 where unsaid. */
  quiet(): number
  /** Nothing advances it: waiting changes nothing. */
  stands?: true
}

/** Moves a clock on, and says for how long nothing falls due then; 0 where that is not known. */
export type Advance = (ms: number) => Promise<number>

/** `advance`: how the target's clock is moved on, where that is ours to do; null where nothing there can. */
export function sharedTime(clock: Clock, advance: Advance | null | undefined): SharedTime {
  let skipped = 0
  let quiet = 0
  const now = (): number => clock.now() + skipped
  if (advance === undefined) return { now, quiet: () => 0 }
  return {
    now,
    quiet: () => quiet,
    ...(advance === null ? { stands: true } : {}),
    async advance(ms) {
      // What comes while the clock moves is dated by its end: a wait may look longer than it was, never shorter.
      skipped += ms
      const moving = advance?.(ms).catch((thrown: unknown) => {
        skipped -= ms
        throw thrown
      })
      quiet = (await moving) ?? 0
    },
  }
}

const stepMs = 1_000
const mostSteps = 120
/** Parts of the first step: two things that follow soon on one another are not to look simultaneous. */
const soon = [0, stepMs / 10, stepMs / 5, stepMs - stepMs / 10 - stepMs / 5]

interface Stepping {
  /** Asked after each step; true ends the wait. */
  isOver?: () => Promise<boolean>
  /** Begins with no step at all, and makes the first in parts. */
  soonFirst?: boolean
}

/**
 * Whether it was over before `ms` had passed. Where the target says for how long nothing falls due, one step goes
 * that far: what falls due then is dated by the moment itself.
 */
export async function stepThrough(
  ms: number,
  { time, wait }: { time: Pick<SharedTime, 'quiet'>; wait: (ms: number) => Promise<void> },
  { isOver = never, soonFirst = false }: Stepping = {},
): Promise<boolean> {
  const first = soonFirst ? soon : []
  const usual = Math.max(stepMs, Math.ceil(ms / mostSteps))
  let gone = 0
  for (let at = 0; at === 0 || gone < ms; at++) {
    const step = Math.max(first[at] ?? usual, at === 0 ? 0 : time.quiet())
    const taken = Math.min(step, ms - gone)
    await wait(taken)
    gone += taken
    if (await isOver()) return true
  }
  return false
}

const never = (): Promise<boolean> => Promise.resolve(false)
