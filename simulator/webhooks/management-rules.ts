/** What the rules of the management of webhooks say: where the contract leaves nothing open, and under each reading of a gap. */
import type { ReadingTable } from './readings.ts'
import type { WebhookRules } from './rules.ts'

export const managementBase = {} satisfies Partial<WebhookRules>

export const managementReadings = {} satisfies Partial<ReadingTable>
