/** Idempotency keys of writes. What ran when its process ended is not known to have come to anything. */
import { uncertainReceipt } from '../../operations/run.ts'
import type { OperationRun } from '../../operations/store.ts'
import { plainCodec } from './plain-data.ts'
import type { Codec } from './codec.ts'

const kept = plainCodec<OperationRun>(({ operations }) => operations.runs)

export const runCodec: Codec = {
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
