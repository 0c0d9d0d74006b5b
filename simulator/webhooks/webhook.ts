/** A webhook, and the session of the user who manages it. */
import type { HeaderLine } from '../server/reply.ts'

export interface Webhook {
  readonly id: string
  /** Id of the agent it belongs to. */
  readonly agent: string
  name: string
  endpointUrl: string
  events: readonly string[]
  description: string | null
  /** As they were given. */
  customHeaders: readonly HeaderLine[]
  isActive: boolean
  /** Keys the signature of every delivery; never written to the journal. */
  secret: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export type Changeable = Omit<Webhook, 'id' | 'agent' | 'createdAt'>

export interface DashboardSession {
  /** What a request carries; begins with `sess_`. Never written to the journal. */
  readonly token: string
  /** Role in the fixtures, such as `main`. */
  readonly name: string
  /** Id of the account whose agents it may manage. */
  readonly account: string
}
