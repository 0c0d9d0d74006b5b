/** Server errors that were asked for. */
export interface Outage {
  status: 500 | 503
  /** How many requests meet it; default 1, Infinity until cleared. */
  times?: number
  /** `door`: before the request is looked at. `turn`: when its turn begins. Default: 503 at the door, 500 in the turn. */
  at?: 'door' | 'turn'
  /** Agent id; absent: any. */
  agent?: string
  /** Role or token of the API key; absent: any. */
  apiKey?: string
}
