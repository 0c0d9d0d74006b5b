/** Work that gives way: one item in each turn of the event loop, so that whatever else is ready comes in between. */
import { breathe } from './machine-time.ts'

/** Adds an item; they run in the order in which they were added. */
export type Turns = (work: () => void) => void

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isRunning = false
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await breathe()
      waiting.shift()?.()
    }
    isRunning = false
  }
  return (work) => {
    waiting.push(work)
    if (isRunning) return
    isRunning = true
    void run()
  }
}
