/** What the operations of one account read and change: enough of a project for every effect to be counted. */
import type { JsonObject } from '../json.ts'
import type { Random } from '../world/random.ts'

export interface AccountData {
  readonly random: Random
  readonly notes: JsonObject[]
  /** By id. */
  readonly customers: Map<string, JsonObject>
  readonly refunds: JsonObject[]
  /** The newest draft of an agent, by agent id. */
  readonly drafts: Map<string, JsonObject>
  readonly calendars: JsonObject[]
  /** Every write that was run, with the status of its receipt, the oldest first. */
  readonly audit: JsonObject[]
}

const people = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gita', 'Hugo']

export function createAccountData(random: Random): AccountData {
  const customers = people.map((name, index) => {
    const id = `cus_${1001 + index}`
    return [id, { id, name, email: `${name.toLowerCase()}@example.com`, country: 'NL' }] as const
  })
  return {
    random,
    notes: [],
    customers: new Map(customers),
    refunds: [],
    drafts: new Map(),
    calendars: [],
    audit: [],
  }
}
