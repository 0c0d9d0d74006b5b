/** Stops everything that a benchmark started. */

export interface Started {
  stop(): Promise<void>
}

/** Returns what was started and stops it when the work has ended. */
export type AutoStop = <S extends Started>(started: Promise<S>) => Promise<S>

/** Runs the work, then stops everything registered in reverse order, also after an error. */
export async function withAutoStop<T>(work: (autoStop: AutoStop) => Promise<T>): Promise<T> {
  const running: Started[] = []
  try {
    return await work(async (starting) => {
      const started = await starting
      running.push(started)
      return started
    })
  } finally {
    for (const started of running.toReversed()) await started.stop()
  }
}
