/** How many requests fell into a minute, wherever it begins. */
import type { Grid } from './scale.ts'

const window = 60_000

/** The most that was sent within the minute before any moment of each bin. */
export function inAnyMinute(times: readonly number[], { end, bins }: Grid): readonly number[] {
  const level = levelOf(times)
  return Array.from({ length: bins }, (_, bin) => {
    const begin = (end * bin) / bins
    // What leaves as a bin begins is not in it any more; a minute has one of its ends to itself.
    level.upTo((at) => at <= begin)
    const last = bin === bins - 1
    return level.upTo((at) => last || at < (end * (bin + 1)) / bins)
  })
}

interface Level {
  /** Goes on over the changes that `within` takes, and gives the highest level on the way. */
  upTo(within: (at: number) => boolean): number
}

function levelOf(times: readonly number[]): Level {
  const changes = times
    .flatMap((at) => [
      { at, by: 1 },
      { at: at + window, by: -1 },
    ])
    .toSorted((one, other) => one.at - other.at || one.by - other.by)
  let level = 0
  let next = 0
  return {
    upTo(within) {
      let highest = level
      for (let change = changes[next]; change && within(change.at); change = changes[next]) {
        level += change.by
        highest = Math.max(highest, level)
        next += 1
      }
      return highest
    },
  }
}
