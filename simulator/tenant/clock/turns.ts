/** Work that gives way: one item in each turn of the event loop, so that whatever else is ready comes in between. */
import { breathe } from './machine-time.ts'

/** Adds an item; they run in the order in which they were added. */
export type Turns = (work: () => void) => void

/** Turns of the event loop between two items: arrivals without an end do not stop the work. */
const arrivalsMost = 100

/**
 * `arrivals`: how many have come so far of those of whom a turn of the event loop brings one only, such as connections.
 * While they come, no item runs.
 */
export function createTurns(arrivals: () => number = () => 0): Turns {
  const waiting: (() => void)[] = []
  const giveWay = async (): Promise<void> => {
    for (let given = 0; given < arrivalsMost; given++) {
      const before = arrivals()
      await breathe()
      if (arrivals() === before) return
    }
  }
  const runNext = async (): Promise<void> => {
    await giveWay()
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
