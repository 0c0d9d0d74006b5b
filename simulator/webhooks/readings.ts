/** What the rules say under each reading of each gap of webhooks; the first reading of a gap is the default. */
import type { webhooksGaps } from '../../spec/gaps/webhooks.ts'
import type { Readings } from '../../spec/index.ts'
import { deliveryBase, deliveryReadings } from './delivery-rules.ts'
import { guardBase, guardReadings } from './guard-rules.ts'
import { managementBase, managementReadings } from './management-rules.ts'
import type { WebhookRules } from './rules.ts'

/** A row for each reading of each gap, what it changes in the rules. */
export type ReadingTable = {
  readonly [G in keyof typeof webhooksGaps]: {
    readonly [R in Readings[G]]: Partial<WebhookRules>
  }
}

/** What the rules say where the contract leaves nothing open; only a fault changes these. */
export const webhookBase = { ...managementBase, ...deliveryBase, ...guardBase }

export const webhookReadings: ReadingTable = {
  ...managementReadings,
  ...deliveryReadings,
  ...guardReadings,
}
