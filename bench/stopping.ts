/** What was started for a bench ends with it. */

export interface Started {
  stop(): Promise<void>
}

/** Gives back what it is given, and stops it when the work is over. */
export type Keep = <S extends Started>(started: Promise<S>) => Promise<S>

/** Stops what was kept, the last first, however the work ends. */
export async function stopping<T>(work: (keep: Keep) => Promise<T>): Promise<T> {
  const kept: Started[] = []
  try {
    return await work(async (starting) => {
      const started = await starting
      kept.push(started)
      return started
    })
  } finally {
    for (const started of kept.toReversed()) await started.stop()
  }
}
