/** Steps of a turn: each may have to be waited for. */
import type { TenantState } from '../tenant/tenant-state.ts'

export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

interface Count {
  turns: number
}
const running = new WeakMap<TenantState, Count>()

/** Turns of a tenant that go on now, whether or not a client listens. */
export const turnsOf = (state: TenantState): number => running.get(state)?.turns ?? 0

function countOf(state: TenantState): Count {
  const known = running.get(state)
  if (known) return known
  const count = { turns: 0 }
  running.set(state, count)
  return count
}

/** Runs the steps of a turn to their end; without a promise where none of them had to be waited for. Never throws. */
export function drive<T>(state: TenantState, steps: Steps<T>): T | Promise<T> {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      if (step.value) return continued(countOf(state), steps, step.value)
    }
  } catch (defect) {
    return Promise.reject(defect)
  }
}

/** Waits for `first`, then runs the other steps, with a promise for none but those that have to be waited for. */
function continued<T>(count: Count, steps: Steps<T>, first: Promise<void>): Promise<T> {
  count.turns++
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      count.turns--
      reject(reason)
    }
    const goOn = (): void => {
      try {
        let step = steps.next()
        while (!step.done && !step.value) step = steps.next()
        if (!step.done) return void step.value?.then(goOn, fail)
        count.turns--
        resolve(step.value)
      } catch (defect) {
        fail(defect)
      }
    }
    first.then(goOn, fail)
  })
}
