/** A webhook, and the session of the user who manages it. */
import type { HeaderLine } from '../server/reply.ts'

export interface Webhook {
  readonly id: string
  /** Id of the agent it belongs to. */
  readonly agent: string
  name: string
  endpointUrl: string
  /** Event names it has selected. */
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

/** What may change in the life of a webhook. */
export type Changeable = Omit<Webhook, 'id' | 'agent' | 'createdAt'>

/** A signed-in user. */
export interface DashboardSession {
  /** What a request carries; begins with `sess_`. Never written to the journal. */
  readonly token: string
  /** Role in the fixtures, such as `main`. */
  readonly name: string
  /** Id of the account whose agents it may manage. */
  readonly account: string
}
