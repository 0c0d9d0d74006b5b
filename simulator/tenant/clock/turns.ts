/** Work that gives way: one item in each turn of the event loop, so that whatever else is ready comes in between. */
import { breathe } from './machine-time.ts'

/** Adds an item; they run in the order in which they were added. */
export type Turns = (work: () => void) => void

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  const runNext = async (): Promise<void> => {
    await breathe()
    try {
      waiting[0]?.()
    } finally {
      // One that throws does not keep the others from their turn.
      waiting.shift()
      if (waiting.length > 0) void runNext()
    }
  }
  return (work) => {
    if (waiting.push(work) === 1) void runNext()
  }
}
