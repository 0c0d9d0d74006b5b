/** What waits for the owner, and what the owner decided. */
import type { Approval } from '../../operations/store.ts'
import { jobOf, storedJob, type StoredJob } from './job.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Stored extends Pick<Approval, 'connection' | 'askedAt' | 'decision' | 'receipt'> {
  readonly held: StoredJob
}

export const approvalCodec: Codec = {
  write: ({ operations }, id) => {
    const [approval, place] = [operations.approvals.get(id), operations.approvals.placeOf(id)]
    if (!approval || !place) return undefined
    const { operation, job, connection, askedAt, decision, receipt } = approval
    const held = storedJob(operation, job)
    const stored: Stored = { held, connection, askedAt, decision, receipt }
    return { body: asBody(stored), place }
  },
  read: (state, id, { body, place }) => {
    const { held, ...rest } = asWritten<Stored>(body)
    const { operation, job } = jobOf(state, held)
    const approval = { id, account: job.apiKey.account, operation, job, ...rest }
    state.operations.approvals.restore(id, approval, place)
  },
}
