/** Which exchanges of a finding are shown, and in which order: as they were sent, so that they can be read as a sequence. */
import type { Finding } from '../bundle/record.ts'

export interface Evidence {
  /** In the order sent. */
  ids: readonly number[]
  /** The exchange that shows the failure; null for a single exchange, or if the verdict rests on all of them. */
  decisive: number | null
  /** So many more are in the journal. */
  rest: number
}

/** At most `most` exchanges; the decisive one is always among them. */
export function evidenceOf({ evidence, verdict }: Finding, most: number): Evidence {
  const ids = evidence.slice(0, most).toSorted((one, other) => one - other)
  const [first = null] = evidence
  const broken = verdict === 'fail' || verdict === 'warn'
  return { ids, decisive: broken && evidence.length > 1 ? first : null, rest: evidence.length - ids.length }
}
