/** As chat.ts, for the routes of operations; a response that several routes share is named without a status. */
import type { TaskStep } from '../../simulator/index.ts'
import { textIn, type Answer, type Caller, type Provocations } from './caller.ts'

const customers = { customers: [{ name: 'Ada', email: 'ada@example.com' }], source: 'shop' }
const erasure = { customerId: 'cus_1001', reason: 'customer-asked' }
const refund = { paymentId: 'pay_1001', amountCents: 500, currency: 'EUR' }
const alwaysOk = { 'GAP-RECEIPT-STATUS': 'always' } as const

/** What a read of the task shows after these steps. */
async function taskAfter(caller: Caller, steps: readonly TaskStep[], receipt?: Answer): Promise<Answer> {
  const task = textIn(receipt ?? (await caller.execute('customers.import', customers)), 'task_id')
  for (const step of steps) caller.tenant.stepTask(task, step)
  return caller.send('GET', `/api/v1/tasks/${task}`)
}

export const operationExamples: Provocations = {
  'listOperations 200 operations': async ({ tenant, send }) => {
    const { status, text } = await send('GET', '/api/v1/operations', { as: tenant.keys.oneAgent })
    const { operations } = JSON.parse(text) as { operations: { id: string }[] }
    const inspect = operations.find(({ id }) => id === 'agent_setup.inspect')
    return { status, text: JSON.stringify({ operations: [inspect] }) }
  },
  'executeOperation 200 completed': ({ tenant, execute }) =>
    execute('agent_setup.inspect', { agentId: tenant.agents.plain }),
  'executeOperation 200 accepted': [alwaysOk, ({ execute }) => execute('customers.import', customers)],
  'executeOperation 200 pending_approval': [alwaysOk, ({ execute }) => execute('customers.erase', erasure)],
  'executeOperation 200 OUTCOME_UNCERTAIN': [alwaysOk, ({ execute }) => execute('payments.refund', refund)],
  'executeOperation 202 accepted': ({ execute }) => execute('customers.import', customers),
  'executeOperation 202 pending_approval': ({ execute }) => execute('customers.erase', erasure),
  'executeOperation 422 failed': ({ execute }) => execute('orders.export', { format: 'csv' }),
  'readTask 200 queued': (caller) => taskAfter(caller, []),
  'readTask 200 running': (caller) => taskAfter(caller, ['next']),
  'readTask 200 input_required': async (caller) => {
    const input = { agentId: caller.tenant.agents.plain, provider: 'caldav' }
    return taskAfter(caller, ['next', 'next'], await caller.execute('calendar.connect', input))
  },
  'readTask 200 completed': (caller) => taskAfter(caller, ['finish']),
  'readTask 200 failed': async (caller) => {
    const receipt = await caller.execute('orders.archive', { before: '2029-01-01' })
    return taskAfter(caller, ['next', 'next'], receipt)
  },
  'readTask 200 cancelled': (caller) => taskAfter(caller, ['cancel']),
  'readApproval 200 pending': async ({ send, execute }) => {
    const receipt = await execute('customers.erase', erasure)
    return send('GET', `/api/v1/approvals/${textIn(receipt, 'approval_id')}`)
  },
  'readBillingUsage 200 usage': ({ send }) => send('GET', '/api/v1/billing/usage'),
  'OperationInvalid input': ({ execute }) => execute('agent_setup.inspect', {}),
  'OperationNoKey unknown': ({ send }) => send('GET', '/api/v1/operations', { as: null }),
  'OperationForbidden scope': ({ tenant, send }) =>
    send('GET', '/api/v1/billing/usage', { as: tenant.keys.noBilling }),
  'OperationNotFound task': ({ send }) => send('GET', '/api/v1/tasks/task_unknown'),
  'OperationConflict conflict': async ({ execute }) => {
    await execute('notes.create', { text: 'Call Ada.' }, { key: 'note-1' })
    const body = { input: { text: 'Call Bob.' } }
    return execute('notes.create', {}, { key: 'note-1', body })
  },
  'OperationLimited limited': [
    { 'GAP-OTHER-RATES': 'same' },
    async ({ send }) => {
      const read = () => send('GET', '/api/v1/billing/usage')
      await Promise.all(Array.from({ length: 60 }, read))
      return read()
    },
  ],
}
