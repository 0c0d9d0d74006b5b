/**
 * Work that outlives its request and its process: tasks, what waits for the owner, and the keys of writes. A job is
 * written by names: no secret is written down, and nothing that another document has.
 */
import type { JsonObject } from '../../json.ts'
import { catalogue } from '../../operations/catalogue/catalogue.ts'
import type { Job, Operation } from '../../operations/operation.ts'
import { uncertainReceipt } from '../../operations/run.ts'
import type { Approval, OperationRun, Task } from '../../operations/store.ts'
import { pace } from '../../operations/tasks.ts'
import { renewalOf } from '../../operations/uploads/renewed-operation.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { bookCodec, plainCodec } from './book-codec.ts'
import type { Codec } from './codec.ts'

interface StoredApproval extends Pick<Approval, 'connection' | 'askedAt' | 'decision' | 'receipt'> {
  readonly held: StoredJob
}

/** What waits for the owner, and what the owner decided. */
export const approvalCodec = bookCodec<Approval, StoredApproval>(({ operations }) => operations.approvals, {
  pack: ({ operation, job, connection, askedAt, decision, receipt }) => ({
    held: storedJob(operation, job),
    connection,
    askedAt,
    decision,
    receipt,
  }),
  unpack: ({ held, ...rest }, state, id) => {
    const { operation, job } = jobOf(state, held)
    return { id, account: job.apiKey.account, operation, job, ...rest }
  },
})

interface StoredTask extends Pick<Task, 'connection' | 'state' | 'since' | 'ahead' | 'reads' | 'receipt'> {
  readonly carries: StoredJob
}

/** What is paced by time catches up with what it missed. */
export const taskCodec: Codec = {
  ...bookCodec<Task, StoredTask>(({ operations }) => operations.tasks, {
    pack: ({ row, job, connection, state, since, ahead, reads, receipt }) => ({
      carries: storedJob(row, job),
      connection,
      state,
      since,
      ahead,
      reads: ahead.length > 0 ? reads : 0,
      receipt,
    }),
    unpack: ({ carries, ...rest }, state, id) => {
      const { operation: row, job } = jobOf(state, carries)
      const { account } = job.apiKey
      return { id, account, operation: row.id, row, agent: job.agent?.id ?? null, job, ...rest }
    },
  }),
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

interface StoredJob {
  readonly operation: string
  /** It is the renewal of an upload. */
  readonly renews: boolean
  /** Role of the API key. */
  readonly apiKey: string
  readonly agent: string | null
  readonly input: JsonObject
}

function storedJob({ id, renews }: Operation, { apiKey, agent, input }: Job): StoredJob {
  return { operation: id, renews, apiKey: apiKey.name, agent: agent?.id ?? null, input }
}

/** Throws where this simulator has no such operation, or the tenant no such API key. */
function jobOf(state: TenantState, stored: StoredJob): { operation: Operation; job: Job } {
  const { agents, operations } = state
  const apiKey = [...state.apiKeys.values()].find(({ name }) => name === stored.apiKey)
  if (!apiKey) throw new Error(`The tenant ${state.id} has no API key of the role ${stored.apiKey}.`)
  const agent = agents.get(stored.agent ?? '') ?? null
  const job = { apiKey, input: stored.input, agent, data: operations.dataOf(apiKey.account) }
  return { operation: operationOf(state, stored), job }
}

function operationOf({ rules }: TenantState, { operation: id, renews }: StoredJob): Operation {
  // The row of the rules counts, which a modification may have changed.
  const row = [...rules.catalogue, ...catalogue].find((one) => one.id === id)
  if (!row) throw new Error(`The operation ${JSON.stringify(id)} is none of this simulator.`)
  return renews ? renewalOf(row) : row
}
