/** In words, what showed that a check can fail. */
import { killersOf, type Killer } from './kill-matrix.ts'

/** More would not help a reader. */
const named = 2

/** Undefined where nothing has shown it. */
export function shownAbleToFail(
  check: string,
  killers: readonly Killer[] = killersOf(check),
): string | undefined {
  if (killers.length === 0) return undefined
  const titles = killers.slice(0, named).map(({ title }) => `“${title.replace(/\.$/, '')}”`)
  const rest = killers.length - titles.length
  return `shown able to fail by ${[...titles, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`
}
