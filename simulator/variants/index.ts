/** Everything unusual that the simulator can do and still keep the contract. */
import type { Variant } from '../modification/modification.ts'
import { answerVariants } from './answer.ts'
import { askingVariants, lenientVariants } from './asking.ts'
import { attemptVariants } from './attempts.ts'
import { billingAndUploadVariants } from './billing-and-uploads.ts'
import { chatVariants, workflowVariants } from './chat.ts'
import { deliveryVariants } from './delivery.ts'
import { effectVariants } from './effects.ts'
import { followUpVariants } from './follow-up.ts'
import { olderVariants } from '../faults/older.ts'
import { operationVariants } from './operations.ts'
import { streamVariants } from './stream.ts'
import { endpointVariants, webhookManagementVariants } from './webhook-management.ts'
import { webhookLogVariants } from './webhook-logs.ts'

export const variants = {
  ...streamVariants,
  ...answerVariants,
  ...chatVariants,
  ...workflowVariants,
  ...webhookManagementVariants,
  ...endpointVariants,
  ...webhookLogVariants,
  ...deliveryVariants,
  ...attemptVariants,
  ...followUpVariants,
  ...operationVariants,
  ...effectVariants,
  ...lenientVariants,
  ...billingAndUploadVariants,
  ...askingVariants,
  ...olderVariants,
} as const satisfies Record<string, Variant>
