/** Everything unusual that the simulator can do and still keep the contract. */
import type { Variant } from './deviation.ts'
import { answerVariants } from './variants/answer.ts'
import { askingVariants } from './variants/asking.ts'
import { attemptVariants } from './variants/attempts.ts'
import { billingAndUploadVariants } from './variants/billing-and-uploads.ts'
import { chatVariants } from './variants/chat.ts'
import { deliveryVariants } from './variants/delivery.ts'
import { effectVariants } from './variants/effects.ts'
import { followUpVariants } from './variants/follow-up.ts'
import { lenientVariants } from './variants/lenient.ts'
import { olderVariants } from './variants/older.ts'
import { operationVariants } from './variants/operations.ts'
import { streamVariants } from './variants/stream.ts'
import { webhookLogVariants } from './variants/webhook-logs.ts'
import { webhookManagementVariants } from './variants/webhook-management.ts'
import { workflowVariants } from './variants/workflow.ts'

export const variants = {
  ...streamVariants,
  ...answerVariants,
  ...chatVariants,
  ...workflowVariants,
  ...webhookManagementVariants,
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
