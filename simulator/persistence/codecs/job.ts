/** What a task or an approval runs, by names: no secret is written down, and nothing that another document has. */
import type { JsonObject } from '../../json.ts'
import { catalogue } from '../../operations/catalogue/catalogue.ts'
import type { Job, Operation } from '../../operations/operation.ts'
import { renewalOf } from '../../operations/uploads/renewed-operation.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'

export interface StoredJob {
  readonly operation: string
  /** It is the renewal of an upload. */
  readonly renews: boolean
  /** Role of the API key. */
  readonly apiKey: string
  readonly agent: string | null
  readonly input: JsonObject
}

export function storedJob({ id, renews }: Operation, { apiKey, agent, input }: Job): StoredJob {
  return { operation: id, renews, apiKey: apiKey.name, agent: agent?.id ?? null, input }
}

/** Throws where this simulator has no such operation, or the tenant no such API key. */
export function jobOf(state: TenantState, stored: StoredJob): { operation: Operation; job: Job } {
  const { agents, operations } = state
  const apiKey = [...state.apiKeys.values()].find(({ name }) => name === stored.apiKey)
  if (!apiKey) throw new Error(`The tenant ${state.id} has no API key of the role ${stored.apiKey}.`)
  const agent = agents.get(stored.agent ?? '') ?? null
  const job = { apiKey, input: stored.input, agent, data: operations.dataOf(apiKey.account) }
  return { operation: operationOf(state, stored), job }
}

function operationOf({ rules }: TenantState, { operation: id, renews }: StoredJob): Operation {
  // The row of the rules counts, which a modification may have changed.
  const row = [...rules.catalogue, ...catalogue].find((one) => one.id === id)
  if (!row) throw new Error(`The operation ${JSON.stringify(id)} is none of this simulator.`)
  return renews ? renewalOf(row) : row
}
