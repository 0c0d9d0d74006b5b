/** Situations with writes that are not complete with their receipt. */
import type { Tenant } from '../tenant.ts'
import { cannotPrepare, setupRequest } from './setup-request.ts'
import type { SituationTable } from './definition.ts'
import { controlStep, freshKey, readStep, step, writeStep, type Write } from './steps.ts'

/** Executes the write, and returns the id of the approval or task that it created. */
async function idCreatedBy(tenant: Tenant, wanted: Write, what: 'approvals' | 'tasks'): Promise<string> {
  await setupRequest(tenant, writeStep(tenant, wanted))
  const id = tenant[what]().at(-1)?.id
  if (id === undefined) throw cannotPrepare(`the write created no ${what}.`)
  return id
}

export const operationSituations: Pick<SituationTable, 'approval' | 'import-task'> = {
  approval: {
    title: 'A write waits for approval by the owner',
    shows: 'the approval is polled until it is decided; then the same request with the same key completes',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.erase',
        input: { customerId: 'cus_1001', reason: 'customer-asked' },
        idempotencyKey: freshKey(tenant, 'erase'),
      }
      const approval = await idCreatedBy(tenant, wanted, 'approvals')
      const path = `/api/v1/approvals/${approval}`
      const steps = [
        step(writeStep(tenant, wanted), {
          does: 'The receipt says that approval is required.',
          status: 202,
          shows: 'pending_approval',
        }),
        step(readStep(wanted.apiKey, path), {
          does: 'The approval is pending.',
          status: 200,
          shows: 'pending',
        }),
        step(controlStep(tenant, 'POST', `/approvals/${approval}`, { decision: 'approved' }), {
          does: 'The owner approves the write.',
          status: 200,
          shows: 'approved',
        }),
        step(readStep(wanted.apiKey, path), {
          does: 'The approval shows the decision.',
          status: 200,
          shows: 'approved',
        }),
        step(writeStep(tenant, wanted), {
          does: 'The same request with the same key returns the result.',
          status: 200,
          shows: 'completed',
        }),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'import-task': {
    title: 'An import continues as a task',
    shows: 'the receipt has the status accepted; the task is polled until its state is final',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.import',
        input: { customers: [{ name: 'Ada', email: 'ada@example.com' }], source: 'shop' },
        idempotencyKey: freshKey(tenant, 'import'),
      }
      const task = await idCreatedBy(tenant, wanted, 'tasks')
      const poll = (does: string, shows: string) =>
        step(readStep(wanted.apiKey, `/api/v1/tasks/${task}`), { does, status: 200, shows })
      const steps = [
        step(writeStep(tenant, wanted), {
          does: 'The receipt has the id of the task.',
          status: 202,
          shows: 'accepted',
        }),
        poll('The task is queued.', 'queued'),
        poll('The task is running.', 'running'),
        poll('The task is completed, which is final.', 'completed'),
      ]
      return { ...wanted, task, steps }
    },
  },
}
