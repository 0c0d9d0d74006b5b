/** Who may call, and whom. */
import type { Scope } from '../../spec/index.ts'

export interface ApiKey {
  /** The secret itself; begins with `sk-`. Never written to the journal. */
  readonly token: string
  readonly name: string
  readonly account: string
  readonly scopes: readonly Scope[]
  /** Id of the only agent it may call; null: any of its account. */
  readonly agent: string | null
  readonly revoked: boolean
}

export interface Agent {
  readonly id: string
  readonly name: string
  /** Ids of the accounts that have it. */
  readonly accounts: readonly string[]
  allowed: boolean
  paused: boolean
}
