/** What is answered to one request after the other. */
import type { Answer } from './inbox.ts'

export const plain: Answer = { status: 200 }

export interface Script {
  set(answers: readonly Answer[]): void
  /** The last one stays. */
  next(): Answer
}

export function createScript(): Script {
  let answers: readonly Answer[] = []
  return {
    set: (wanted) => void (answers = wanted),
    next() {
      const [next = plain, ...rest] = answers
      if (rest.length > 0) answers = rest
      return next
    },
  }
}
