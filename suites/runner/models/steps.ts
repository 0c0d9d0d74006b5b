/** A wait on a clock that is ours to move on, in steps: when something came shows by the step that it came in. */
import type { SharedTime } from '../states/shared-time.ts'

const stepMs = 1_000
const mostSteps = 120
/** Parts of the first step: two things that follow soon on one another are not to look as if they came at once. */
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
