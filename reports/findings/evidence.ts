/** Which exchanges of a finding are shown, and in which order: as they were sent, so that they run a scenario. */
import type { Finding } from '../bundle/record.ts'

export interface Evidence {
  /** In the order sent. */
  ids: readonly number[]
  /** The one that shows it; null where there is but one, or the verdict rests on all of them alike. */
  telling: number | null
  /** So many more are in the journal. */
  rest: number
}

/** At most so many: the one that shows it is always among them. */
export function evidenceOf({ evidence, verdict }: Finding, most: number): Evidence {
  const ids = evidence.slice(0, most).toSorted((one, other) => one - other)
  const [first = null] = evidence
  const broken = verdict === 'fail' || verdict === 'warn'
  return { ids, telling: broken && evidence.length > 1 ? first : null, rest: evidence.length - ids.length }
}
