/** What the operations of one account read and change: enough of a project for every effect to be counted. */
import type { JsonObject } from '../json.ts'
import type { Random } from '../world/random.ts'
import type { KnowledgeFile, Upload } from './upload-book.ts'

export interface AccountData {
  readonly random: Random
  readonly notes: JsonObject[]
  /** By id. */
  readonly customers: Map<string, JsonObject>
  /** Customers that were there or were imported so far; no number is used twice. */
  customersMade: number
  readonly erasures: JsonObject[]
  readonly refunds: JsonObject[]
  /** The newest draft of an agent, by agent id. */
  readonly drafts: Map<string, JsonObject>
  readonly calendars: JsonObject[]
  /** What was prepared, by id. */
  readonly uploads: Map<string, Upload>
  /** Files that were uploaded, the oldest first. */
  readonly knowledge: KnowledgeFile[]
  /** Every write that was run, with the status of its receipt, the oldest first. */
  readonly audit: JsonObject[]
}

const people = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gita', 'Hugo']

export const customerId = (number: number): string => `cus_${1000 + number}`

export function createAccountData(random: Random): AccountData {
  const customers = people.map((name, index) => {
    const id = customerId(index + 1)
    return [id, { id, name, email: `${name.toLowerCase()}@example.com`, country: 'NL' }] as const
  })
  return {
    random,
    notes: [],
    customers: new Map(customers),
    customersMade: people.length,
    erasures: [],
    refunds: [],
    drafts: new Map(),
    calendars: [],
    uploads: new Map(),
    knowledge: [],
    audit: [],
  }
}
