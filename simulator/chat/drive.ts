/** Steps of a turn: each may have to be waited for. */
import type { TenantState } from '../tenant/tenant-state.ts'

export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

const running = new WeakMap<TenantState, number>()

/** Turns of a tenant that go on now, whether or not a client listens. */
export const turnsOf = (state: TenantState): number => running.get(state) ?? 0

const count = (state: TenantState, more: number): void => void running.set(state, turnsOf(state) + more)

/** Runs the steps of a turn to their end; without a promise where none of them had to be waited for. Never throws. */
export function drive<T>(state: TenantState, steps: Steps<T>): T | Promise<T> {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      if (step.value) return continued(state, steps, step.value)
    }
  } catch (defect) {
    return Promise.reject(defect)
  }
}

async function continued<T>(state: TenantState, steps: Steps<T>, first: Promise<void>): Promise<T> {
  count(state, 1)
  try {
    await first
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      await step.value
    }
  } finally {
    count(state, -1)
  }
}
