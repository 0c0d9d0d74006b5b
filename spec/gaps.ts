import type { Gap } from './gap.ts'
import { chatGaps } from './gaps/chat.ts'

/** Everything the contract leaves open. */
export const gaps = { ...chatGaps } as const satisfies Record<string, Gap>

export type GapId = keyof typeof gaps
export const gapIds = Object.keys(gaps) as GapId[]

/** The reading chosen for each gap; `Readings['GAP-IDENTICAL']` is `'replay' | 'conflict'`. */
export type Readings = { -readonly [G in GapId]: keyof (typeof gaps)[G]['readings'] & string }

/** What the simulator does unless told otherwise: the first reading of each gap. */
export const defaultReadings = Object.fromEntries(
  gapIds.map((id) => [id, Object.keys(gaps[id].readings)[0]]),
) as Readings
