/** What no phrase of the contract rules out: requests that others refuse, and outcomes that become known. */
import type { Call } from '../edge/reply.ts'
import type { KeyRecord, KeyState } from '../tenant/keys.ts'
import { variant, type Variant } from '../modification/modification.ts'
import { forgiving } from '../modification/operation-changes.ts'

export const lenientVariants = {
  'lenient-requests': variant({
    title: 'A key counts with any scheme, input need not fit its schema, and a limit of invoices is ignored.',
    allowed: 'What a request has to be is stated, and not that another is refused.',
    warns: ['AUTH-SCHEME', 'EXEC-INPUT-INVALID', 'BILL-INVOICES-LIMIT'],
    rules: (was, state) => ({
      ...forgiving(/./, 'notes.list', 'notes.create', 'agent_design.draft')(was, state),
      bearer: (authorization) => /^\S+ +(\S+) *$/.exec(authorization)?.[1] ?? null,
      invoices: (account, _limit, at) => was.invoices(account, null, at),
    }),
  }),
  'uncertain-reconciled': variant({
    title: 'The outcome of an uncertain turn is known when its key is sent for the second time.',
    allowed: 'An uncertain turn has to be reconciled; by whom is not stated.',
    warns: ['IDEM-UNCERTAIN-STAYS'],
    rules: (was) => {
      const ended = new Map<KeyRecord, KeyState>()
      const askedBy = new Map<KeyRecord, Call>()
      return {
        book(tenantState, call) {
          const book = was.book(tenantState, call)
          return {
            ...book,
            settle(record, state) {
              if (state.is === 'completed') ended.set(record, state)
              book.settle(record, state)
            },
            find(id) {
              const record = book.find(id)
              if (record?.state.is !== 'uncertain') return record
              if (!askedBy.has(record)) askedBy.set(record, call)
              const outcome = askedBy.get(record) === call ? undefined : ended.get(record)
              if (outcome) book.settle(record, outcome)
              return record
            },
          }
        },
      }
    },
  }),
  'webhooks-readable-on-any-plan': variant({
    title: 'On a plan without webhook settings webhooks can still be listed.',
    allowed: 'Whether what another plan set up can still be read is not stated.',
    rules: (was) => ({
      hasWebhookSettings: (plan, call) => call.method === 'GET' || was.hasWebhookSettings(plan, call),
    }),
  }),
} as const satisfies Record<string, Variant>
