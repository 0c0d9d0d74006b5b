/** Scenarios about writes that are not over with their receipt. */
import type { Tenant } from '../tenant.ts'
import { ask } from './ask.ts'
import type { Scenes } from './scene.ts'
import { control, freshKey, read, step, write, type Write } from './steps.ts'

/** Asks for the write, and gives the id of what came of it. */
async function asked(tenant: Tenant, wanted: Write, what: 'approvals' | 'tasks'): Promise<string> {
  await ask(tenant, write(tenant, wanted))
  const id = tenant[what]().at(-1)?.id
  if (id === undefined) throw new RangeError(`The scenario cannot be arranged: the write made no ${what}.`)
  return id
}

export const operationScenes: Pick<Scenes, 'approval' | 'import-task'> = {
  approval: {
    title: 'A write waits for the owner to approve it',
    shows: 'the approval is read until it is decided; then the same request under the same key goes on',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.erase',
        input: { customerId: 'cus_1001', reason: 'customer-asked' },
        idempotencyKey: freshKey(tenant, 'erase'),
      }
      const approval = await asked(tenant, wanted, 'approvals')
      const path = `/api/v1/approvals/${approval}`
      const steps = [
        step(write(tenant, wanted), {
          does: 'The receipt says that the owner has to approve it.',
          status: 202,
          shows: 'pending_approval',
        }),
        step(read(wanted.apiKey, path), {
          does: 'The approval is still pending.',
          status: 200,
          shows: 'pending',
        }),
        step(control(tenant, 'POST', `/approvals/${approval}`, { decision: 'approved' }), {
          does: 'The owner approves it.',
          status: 200,
          shows: 'approved',
        }),
        step(read(wanted.apiKey, path), { does: 'The approval says so.', status: 200, shows: 'approved' }),
        step(write(tenant, wanted), {
          does: 'The same request under the same key tells what came of it.',
          status: 200,
          shows: 'completed',
        }),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'import-task': {
    title: 'An import goes on as a task',
    shows: 'the receipt is accepted, and the task is polled until its state is final',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.import',
        input: { customers: [{ name: 'Ada', email: 'ada@example.com' }], source: 'shop' },
        idempotencyKey: freshKey(tenant, 'import'),
      }
      const task = await asked(tenant, wanted, 'tasks')
      const poll = (does: string, shows: string) =>
        step(read(wanted.apiKey, `/api/v1/tasks/${task}`), { does, status: 200, shows })
      const steps = [
        step(write(tenant, wanted), {
          does: 'The receipt says that the work goes on.',
          status: 202,
          shows: 'accepted',
        }),
        poll('Nothing has begun.', 'queued'),
        poll('It is being done.', 'running'),
        poll('It is over: this state is final.', 'completed'),
      ]
      return { ...wanted, task, steps }
    },
  },
}
