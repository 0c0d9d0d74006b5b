/** What the owner agrees to where an upload has lapsed: that it is as new. */
import { completedOutcome, failedOutcome, type Operation } from '../../tenant/operations/operation.ts'
import { refresh, uploadOf } from './upload.ts'

/** In place of the upload itself. It needs no bytes, so that it is done as soon as other approved work. */
export function renewalOf(operation: Operation): Operation {
  return {
    ...operation,
    renews: true,
    resent: false,
    perform: (state, job) => {
      const upload = uploadOf(job)
      if (!upload)
        return failedOutcome('UPLOAD_FORGOTTEN', 'Newer uploads took its place; prepare another upload.')
      refresh(state, job, upload, true)
      return completedOutcome({ uploadId: upload.id, renewed: true })
    },
    finish: null,
  }
}
