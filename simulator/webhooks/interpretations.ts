/** What the rules say under each interpretation of each gap of webhooks; the first interpretation of a gap is the default. */
import { deliveryBase, deliveryInterpretations } from './delivery-rules.ts'
import { guardBase, guardInterpretations } from './guard-rules.ts'
import { managementBase, managementInterpretations } from './management-rules.ts'
import type { WebhookInterpretations } from './rules.ts'

/** What the rules say where the contract leaves nothing open; only a fault changes these. */
export const webhookBase = { ...managementBase, ...deliveryBase, ...guardBase }

export const webhookInterpretations: WebhookInterpretations = {
  ...managementInterpretations,
  ...deliveryInterpretations,
  ...guardInterpretations,
}
