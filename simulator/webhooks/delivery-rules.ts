/** What the rules of the delivery of webhooks say: where the contract leaves nothing open, and under each reading of a gap. */
import type { ReadingTable } from './readings.ts'
import type { WebhookRules } from './rules.ts'

export const deliveryBase = {} satisfies Partial<WebhookRules>

export const deliveryReadings = {} satisfies Partial<ReadingTable>
