/** Which exchanges of a finding are shown: as they were sent, each with its role. */
import type { Finding } from '../bundle/record.ts'

export interface ShownExchange {
  id: number
  /** Its role in the failure, if the check names one; otherwise the scenario's name of the exchange serves. */
  as?: string
  /** It shows the failure. Never set for a single exchange. */
  decisive: boolean
}

export interface Evidence {
  /** In the order sent. */
  shown: readonly ShownExchange[]
  /** So many more are in the journal. */
  rest: number
}

/** Returns the exchanges that a check cites, else the first `most`; the decisive one is always among them. */
export function evidenceOf({ evidence, verdict, cited = [] }: Finding, most: number): Evidence {
  const [first] = evidence
  const failed = verdict === 'fail' || verdict === 'warn'
  const roles = new Map(cited.map(({ exchange, as }) => [exchange, as]))
  const named = roles.size > 0 ? evidence.filter((id) => id === first || roles.has(id)) : evidence
  const ids = named.slice(0, most).toSorted((one, other) => one - other)
  const shown = ids.map((id) => {
    const as = roles.get(id)
    return { id, ...(as === undefined ? {} : { as }), decisive: failed && ids.length > 1 && id === first }
  })
  return { shown, rest: evidence.length - ids.length }
}
