/** How a story ends before its end. Private to the engine: a story throws these by way of the player only. */
import type { NotExercisedReason } from './judgement.ts'

/** Why what was not played has no verdict. Plain data, kept in the record. */
export type Ending =
  | { is: 'inconclusive'; because: string }
  | { is: 'not-exercised'; reason: NotExercisedReason; because: string }

/** Carries an ending out of `play`. */
export class StoryEnded extends Error {
  override name = 'StoryEnded'
  readonly ending: Ending
  constructor(ending: Ending) {
    super(ending.because)
    this.ending = ending
  }
}

export function stopped(because: string): StoryEnded {
  return new StoryEnded({ is: 'inconclusive', because })
}

export function notExercised(reason: NotExercisedReason, because: string): StoryEnded {
  return new StoryEnded({ is: 'not-exercised', reason, because })
}
