/** Orders and payments: work that fails, ends in doubt, or is called off. */
import {
  failedOutcome,
  continuesAsTask,
  members,
  listed,
  readOperation,
  writeOperation,
  type Operation,
} from '../../tenant/operations/operation.ts'

const day = { type: 'string', format: 'date' }

const exportInput = members(
  {
    format: { type: 'string', enum: ['csv', 'json'] },
    from: day,
    to: day,
    columns: {
      type: 'array',
      items: { type: 'string', enum: ['number', 'customer', 'total', 'status'] },
      minItems: 1,
      uniqueItems: true,
    },
  },
  ['format'],
)

const refundInput = members(
  {
    paymentId: { type: 'string', pattern: '^pay_[A-Za-z0-9]{4,20}$' },
    amountCents: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'] },
    reason: { type: 'string', minLength: 1, maxLength: 200 },
  },
  ['paymentId', 'amountCents', 'currency'],
)

export const orderOperations: readonly Operation[] = [
  writeOperation({
    id: 'orders.export',
    title: 'Export orders',
    description: 'Always fails here, because the project has no order system.',
    input: exportInput,
    perform: () =>
      failedOutcome(
        'NO_ORDER_SYSTEM',
        'Connect an order system in the project settings, then export with a new key.',
      ),
  }),
  writeOperation({
    id: 'orders.archive',
    title: 'Archive old orders',
    description: 'A task that fails before its end.',
    input: members({ before: day }),
    perform: () => continuesAsTask({ ends: 'failed' }),
    finish: () =>
      failedOutcome('ARCHIVE_FULL', 'Make room in the archive, then archive the orders with a new key.'),
  }),
  writeOperation({
    id: 'reports.build',
    title: 'Build a report',
    description: 'A task that is called off before its end.',
    input: members(
      {
        period: { type: 'string', pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$' },
        sections: {
          type: 'array',
          items: { type: 'string', enum: ['turns', 'orders', 'leads'] },
          maxItems: 3,
        },
      },
      ['period'],
    ),
    perform: () => continuesAsTask({ ends: 'cancelled' }),
    pace: { by: 'time', stepMs: 500 },
    finish: () =>
      failedOutcome('TASK_CANCELLED', 'The report was called off; build it again with a new key.'),
  }),
  writeOperation({
    id: 'payments.refund',
    title: 'Refund a payment',
    description: 'The bank takes it and never answers: how it ended stays unknown.',
    destructive: true,
    input: refundInput,
    perform: (state, { data, input }) => {
      data.refunds.add({ at: new Date(state.clock.date()).toISOString(), ...input })
      return { is: 'uncertain' }
    },
  }),
  readOperation({
    id: 'payments.list',
    title: 'List refunds',
    description: 'What the bank was asked to refund, for reconciling a refund whose outcome is unknown.',
    input: members({ paymentId: { type: 'string', pattern: '^pay_[A-Za-z0-9]{4,20}$' } }, []),
    perform: (_tenantState, { data, input }) => {
      const { paymentId: id } = input
      return listed('refunds', data.refunds, id === undefined ? null : (one) => one['paymentId'] === id)
    },
  }),
]
