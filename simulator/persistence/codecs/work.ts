/**
 * Work that outlives its request and its process: tasks, what waits for the owner, and the keys of writes. A job is
 * written by names: no secret is written down, and nothing that another document has.
 */
import { catalogue } from '../../operations/catalogue/catalogue.ts'
import type { Job, Operation } from '../../operations/operation.ts'
import { uncertainReceipt } from '../../operations/run.ts'
import type { OperationRun } from '../../operations/store.ts'
import { pace } from '../../operations/tasks.ts'
import { renewalOf } from '../../operations/uploads/renewed-operation.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { bookCodec, plainCodec, type Codec } from './codec.ts'

/** What waits for the owner, and what the owner decided. */
export const approvalCodec = bookCodec(
  ({ operations }) => operations.approvals,
  ({ operation, job, connection, askedAt, decision, receipt }) => ({
    held: storedJob(operation, job),
    connection,
    askedAt,
    decision,
    receipt,
  }),
  ({ held, ...rest }, state, id) => {
    const { operation, job } = jobOf(state, held)
    return { id, account: job.apiKey.account, operation, job, ...rest }
  },
)

/** What is paced by time catches up with what it missed. */
export const taskCodec: Codec = {
  ...bookCodec(
    ({ operations }) => operations.tasks,
    ({ row, job, connection, state, since, ahead, reads, receipt }) => ({
      carries: storedJob(row, job),
      connection,
      state,
      since,
      ahead,
      reads: ahead.length > 0 ? reads : 0,
      receipt,
    }),
    ({ carries, ...rest }, state, id) => {
      const { operation: row, job } = jobOf(state, carries)
      const { account } = job.apiKey
      return { id, account, operation: row.id, row, agent: job.agent?.id ?? null, job, ...rest }
    },
  ),
  wake: (state) => {
    for (const task of state.operations.tasks.values()) pace(state, task)
  },
}

const runs = plainCodec<OperationRun>(({ operations }) => operations.runs)

/** Keys of writes. What ran when its process ended is not known to have come to anything. */
export const runCodec: Codec = {
  ...runs,
  read: (state, id, written) => {
    runs.read(state, id, written)
    const record = state.operations.runs.get(id)
    if (!record || record.receipt) return
    record.receipt = uncertainReceipt()
    state.operations.runs.touch(id)
  },
}

type StoredJob = ReturnType<typeof storedJob>

/** `apiKey`: its role. `renews`: it is the renewal of an upload. */
const storedJob = ({ id, renews }: Operation, { apiKey, agent, input }: Job) => ({
  operation: id,
  renews,
  apiKey: apiKey.name,
  agent: agent?.id ?? null,
  input,
})

/** Throws where this simulator has no such operation, or the tenant no such API key. */
function jobOf(state: TenantState, { operation: id, renews, apiKey: role, agent, input }: StoredJob) {
  const { agents, apiKeys, operations, rules } = state
  const apiKey = [...apiKeys.values()].find(({ name }) => name === role)
  // The row of the rules counts, which a modification may have changed.
  const row = [...rules.catalogue, ...catalogue].find((one) => one.id === id)
  if (!apiKey || !row) throw new Error(`The tenant ${state.id} has no operation ${id} or no API key ${role}.`)
  const job: Job = {
    apiKey,
    input,
    agent: agents.get(agent ?? '') ?? null,
    data: operations.dataOf(apiKey.account),
  }
  return { operation: renews ? renewalOf(row) : row, job }
}
