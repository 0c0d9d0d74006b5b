/** Steps of a turn: each may have to be waited for. */
import type { TenantState } from '../tenant/tenant-state.ts'

export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

/** Turns of a tenant that can be ended together. */
interface Running {
  turns: number
  ended: Error | null
}
const running = new WeakMap<TenantState, Running>()

/** Turns of a tenant that go on now, whether or not a client listens. */
export const turnsOf = (state: TenantState): number => running.get(state)?.turns ?? 0

/** Ends those that go on now: each fails with `reason` instead of its next step. */
export function endTurns(state: TenantState, reason: Error): void {
  const turns = running.get(state)
  if (turns) turns.ended = reason
  running.delete(state)
}

function turnsAmong(state: TenantState): Running {
  const known = running.get(state)
  if (known) return known
  const turns = { turns: 0, ended: null }
  running.set(state, turns)
  return turns
}

/** Runs the steps of a turn to their end; without a promise where none of them had to be waited for. Never throws. */
export function drive<T>(state: TenantState, steps: Steps<T>): T | Promise<T> {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      if (step.value) return continued(turnsAmong(state), steps, step.value)
    }
  } catch (defect) {
    return Promise.reject(defect)
  }
}

/** Waits for `first`, then runs the other steps, with a promise for none but those that have to be waited for. */
function continued<T>(among: Running, steps: Steps<T>, first: Promise<void>): Promise<T> {
  among.turns++
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      among.turns--
      reject(reason)
    }
    const goOn = (): void => {
      if (among.ended) return fail(among.ended)
      try {
        let step = steps.next()
        while (!step.done && !step.value) step = steps.next()
        if (!step.done) return void step.value?.then(goOn, fail)
        among.turns--
        resolve(step.value)
      } catch (defect) {
        fail(defect)
      }
    }
    first.then(goOn, fail)
  })
}
