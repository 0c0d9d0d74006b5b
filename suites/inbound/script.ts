/** What is answered to one request after the other. */
import type { InboundAnswer } from './inbox.ts'

export const plain: InboundAnswer = { status: 200 }

export interface AnswerScript {
  set(answers: readonly InboundAnswer[]): void
  /** The last one stays. */
  next(): InboundAnswer
}

export function createScript(): AnswerScript {
  let answers: readonly InboundAnswer[] = []
  return {
    set: (wanted) => void (answers = wanted),
    next() {
      const [next = plain, ...rest] = answers
      if (rest.length > 0) answers = rest
      return next
    },
  }
}
