/** Room for so many at once; whoever comes when all places are taken waits, the first come first. */

export interface StorePlaces {
  /** Resolves with what gives the place back. */
  take(): Promise<() => void>
}

export function createPlaces(most: number): StorePlaces {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = (): void => {
    const next = waiting.shift()
    // Whoever waits takes the place over.
    if (next) next()
    else taken -= 1
  }
  return {
    take: async () => {
      if (taken < most) taken += 1
      else await new Promise<void>((resolve) => void waiting.push(resolve))
      return leave
    },
  }
}
