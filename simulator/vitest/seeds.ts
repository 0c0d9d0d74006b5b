/** Seeds by the names of tests: the same test has the same keys and ids, whichever others run. */
import type { TestContext } from 'vitest'

type Task = TestContext['task']

/** Such as `orders > are replayed`. */
export function nameOf(task: Task): string {
  const names = [task.name]
  for (let suite = task.suite; suite !== undefined && suite.name !== ''; suite = suite.suite)
    names.unshift(suite.name)
  return names.join(' > ')
}

export function createSeeds(common: string) {
  const taken = new Set<string>()
  return {
    /** Two tests of one name that run at the same time get different ones. */
    take: (task: Task): string => {
      const first = `${common}/${nameOf(task)}`
      let seed = first
      for (let more = 2; taken.has(seed); more++) seed = `${first} (${more})`
      taken.add(seed)
      return seed
    },
    giveBack: (seed: string): void => void taken.delete(seed),
  }
}
