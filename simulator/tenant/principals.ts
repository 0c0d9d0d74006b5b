/** Who may call, and whom. */
import type { Scope } from '../../spec/index.ts'

export interface ApiKey {
  /** The secret itself; begins with `sk-`. Never written to the journal. */
  readonly token: string
  /** Role in the fixtures, such as `main`. */
  readonly name: string
  readonly account: string
  readonly scopes: readonly Scope[]
  /** Id of the only agent it may call; null: any of its account. */
  readonly agent: string | null
  readonly revoked: boolean
}

export interface Agent {
  readonly id: string
  /** Role in the fixtures, such as `plain`. */
  readonly name: string
  /** Ids of the accounts that have it. */
  readonly accounts: readonly string[]
  /** Whether the plan of its accounts allows it. */
  allowed: boolean
  /** AI replies are paused. */
  paused: boolean
}
