/** What the rules of the guard of webhooks say: where the contract leaves nothing open, and under each reading of a gap. */
import type { ReadingTable } from './readings.ts'
import type { WebhookRules } from './rules.ts'

export const guardBase = {} satisfies Partial<WebhookRules>

export const guardReadings = {} satisfies Partial<ReadingTable>
