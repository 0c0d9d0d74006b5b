/** Uploads as the simulator has them, under each interpretation: the routes, and when one has lapsed. */
import type { OperationInterpretations } from '../rules/rules.ts'
import { failedReceipt } from '../receipt.ts'
import type { UploadRules } from './rules.ts'
import { bytesProblem, fileProblem } from './content.ts'
import { fixedLimits } from '../../limits.ts'

const hourMs = 60 * 60 * 1000

const steps: Partial<UploadRules> = {
  uploadLimitBytes: fixedLimits.uploadBytes,
  fileProblem,
  bytesProblem,
  uploadRunId: (_step, idOfKey) => idOfKey,
  keepsHeldBytes: false,
}

export const uploadInterpretations: Pick<
  OperationInterpretations,
  'GAP-UPLOAD-ROUTES' | 'GAP-UPLOAD-RENEWAL'
> = {
  'GAP-UPLOAD-ROUTES': {
    'two-steps': { ...steps, uploadsAtOnce: false },
    'one-step': { ...steps, uploadsAtOnce: true },
  },
  'GAP-UPLOAD-RENEWAL': {
    lapsed: {
      preparedLifeMs: hourMs,
      renewalWaits: ({ approval }) => approval,
      renewalReceipt: (approvalId) => ({
        ...failedReceipt(
          'UPLOAD_RENEWAL_INCOMPLETE',
          `The prepared upload lapsed and its renewal waits for the owner: read the approval ${approvalId}, and send the upload again with the same two keys when it is approved.`,
        ),
        approvalId,
      }),
    },
  },
}
