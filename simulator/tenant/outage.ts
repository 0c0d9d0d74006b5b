/** Server errors that were asked for. */
import type { ApiKey } from './principals.ts'

export interface Outage {
  status: 500 | 503
  /** How many requests meet it; default 1, Infinity until cleared. */
  times?: number
  /** `request`: before the request is validated. `turn`: when its turn begins. Default: 503 at the request, 500 in the turn. */
  at?: 'request' | 'turn'
  /** Agent id; absent: any. */
  agent?: string
  /** Role or token of the API key; absent: any. */
  apiKey?: string
}

interface Request {
  readonly agentId: string
  readonly apiKey: ApiKey
}

export const placeOfOutage = (outage: Outage): NonNullable<Outage['at']> =>
  outage.at ?? (outage.status === 503 ? 'request' : 'turn')

function meets(outage: Outage, { agentId, apiKey }: Request): boolean {
  const forKey =
    outage.apiKey === undefined || outage.apiKey === apiKey.name || outage.apiKey === apiKey.token
  return forKey && (outage.agent === undefined || outage.agent === agentId)
}

/** The outage that a request runs into, if any; one that is used up is taken off the list. */
export function takeOutage(outages: Outage[], at: 'request' | 'turn', request: Request): Outage | undefined {
  const outage = outages.find((outage) => placeOfOutage(outage) === at && meets(outage, request))
  if (!outage) return undefined
  outage.times = (outage.times ?? 1) - 1
  if (outage.times <= 0) outages.splice(outages.indexOf(outage), 1)
  return outage
}
