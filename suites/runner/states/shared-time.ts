/** The target's clock, as the run knows it: real time, and what the run advanced it by. All scenarios share it. */
import type { Clock } from '../../wire/clock.ts'

export interface SharedTime {
  /** Milliseconds on the target's clock since the run began. */
  now(): number
  /** Moves the target's clock on; absent where it goes by itself. */
  advance?: (ms: number) => Promise<void>
  /** For how long on it, as it was moved on last, nothing falls due that the target knows of; 0 where unsaid. */
  quiet(): number
  /** Nothing moves it: what did not come at once is not brought about by waiting. */
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
      quiet = (await advance?.(ms)) ?? 0
    },
  }
}
