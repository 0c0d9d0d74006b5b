/** What the rules say under each reading of each gap of webhooks; the first reading of a gap is the default. */
import { deliveryBase, deliveryReadings } from './delivery-rules.ts'
import { guardBase, guardReadings } from './guard-rules.ts'
import { managementBase, managementReadings } from './management-rules.ts'
import type { WebhookReadings } from './rules.ts'

/** What the rules say where the contract leaves nothing open; only a fault changes these. */
export const webhookBase = { ...managementBase, ...deliveryBase, ...guardBase }

export const webhookReadings: WebhookReadings = {
  ...managementReadings,
  ...deliveryReadings,
  ...guardReadings,
}
