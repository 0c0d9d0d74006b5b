/** Steps of a turn: each may have to be waited for. */
import type { World } from '../world/world.ts'

export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

const running = new WeakMap<World, number>()

/** Turns of a world that go on now, whether or not a client listens. */
export const turnsOf = (world: World): number => running.get(world) ?? 0

const count = (world: World, more: number): void => void running.set(world, turnsOf(world) + more)

/** Runs the steps of a turn to their end; without a promise where none of them had to be waited for. */
export function drive<T>(world: World, steps: Steps<T>): T | Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value) return continued(world, steps, step.value)
  }
}

async function continued<T>(world: World, steps: Steps<T>, first: Promise<void>): Promise<T> {
  count(world, 1)
  try {
    await first
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      await step.value
    }
  } finally {
    count(world, -1)
  }
}
