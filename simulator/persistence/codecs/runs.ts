/** Idempotency keys of writes. What ran when its process ended is not known to have come to anything. */
import { uncertainReceipt } from '../../operations/run.ts'
import type { RunRecord } from '../../operations/store.ts'
import { plain } from './conversations.ts'
import type { Shelf } from './codec.ts'

const kept = plain<RunRecord>(({ operations }) => operations.runs)

export const runs: Shelf = {
  ...kept,
  read: (state, id, written) => {
    kept.read(state, id, written)
    const { runs } = state.operations
    const record = runs.get(id)
    if (!record || record.receipt) return
    record.receipt = uncertainReceipt()
    runs.touch(id)
  },
}
