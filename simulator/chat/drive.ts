/** Steps of a turn: each may have to be waited for. */
export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

/** Runs steps to their end; without a promise where none of them had to be waited for. */
export function drive<T>(steps: Steps<T>): T | Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value) return continued(steps, step.value)
  }
}

async function continued<T>(steps: Steps<T>, first: Promise<void>): Promise<T> {
  await first
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await step.value
  }
}
