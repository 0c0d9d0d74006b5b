/** Operations that ask for more than is said of them, or do one thing at a time. */
import { jsonReply, type Reply, type Call } from '../edge/reply.ts'
import { isObject } from '../json.ts'
import { failedReceipt } from '../tenant/operations/operation.ts'
import { uploadIds } from '../operations/uploads/rows.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { memberText } from '../modification/changes.ts'
import { variant, type TenantHooks, type Variant } from '../modification/modification.ts'
import {
  forbidding,
  fussy,
  onAnswer,
  onOperationBody,
  readOf,
  forgiving,
} from '../modification/operation-changes.ts'
import type { KeyRecord, KeyState } from '../tenant/keys.ts'

const beyondSchema = 'That a schema says all that an input has to be is not stated.'
const finished = 'A finished call does not mean that training or import is finished.'

const importMs = 1_500

const failing = ({ about }: Reply, code: string): Reply =>
  jsonReply(422, { ...failedReceipt(code, 'Try again later.') }, about)

/** For a while after one was taken every spreadsheet fails. */
function oneImport({ clock }: TenantState): TenantHooks {
  let until = 0
  return onAnswer(
    ({ operation, operationId, receipt = '' }) =>
      operation === 'finalize-upload' &&
      operationId === uploadIds.spreadsheet &&
      ['completed', 'accepted'].includes(receipt),
    (reply) => {
      if (clock.now() < until) return failing(reply, 'IMPORT_UNDER_WAY')
      until = clock.now() + importMs
      return reply
    },
  )
}

/** Once a document was taken, others fail. */
function othersFail(): TenantHooks {
  let isBusy = false
  return onAnswer(
    ({ operation, operationId }) => operation === 'finalize-upload' && operationId === uploadIds.document,
    (reply) => {
      const isHeld = reply.about.receipt === 'pending_approval'
      if (isHeld && isBusy) return failing(reply, 'TRAINING_UNDER_WAY')
      isBusy ||= !isHeld && reply.status < 300
      return reply
    },
  )
}

export const askingVariants = {
  'notes-in-ascii': variant({
    title: 'A note is refused as invalid that is not all ASCII, which its schema allows.',
    allowed: beyondSchema,
    warns: ['EXEC-INPUT'],
    rules: fussy('notes.create', ({ text }) => /[^\0-\x7f]/.test(memberText(text))),
  }),
  'notes-need-a-priority': variant({
    title: 'A note that asks for a call needs a priority, which its schema allows to leave out.',
    allowed: beyondSchema,
    warns: ['EXEC-INPUT'],
    rules: fussy(
      'notes.create',
      ({ text, priority }) => memberText(text).startsWith('Call back') && priority === undefined,
    ),
  }),
  'operations-for-wider-keys': variant({
    title:
      'Every operation but the billing reads takes a scope that no key has which was made for one purpose.',
    allowed: 'The complete list of scopes is not shown.',
    warns: ['SCOPE-READ-AGENTS', 'UPL-SCOPE'],
    rules: forbidding(
      'The API key lacks the scope operations.',
      ({ scopes }, { id }) => scopes.length <= 1 && !id.startsWith('billing.'),
    ),
  }),
  'one-import-at-a-time': variant({
    title: 'While a spreadsheet is imported the next one fails.',
    allowed: finished,
    remember: oneImport,
  }),
  'one-document-at-a-time': variant({
    title: 'While a document is learnt the next one fails.',
    allowed: finished,
    remember: othersFail,
  }),
  'one-task-for-all': variant({
    title: 'All long work of two operations is one task.',
    allowed: 'That a task is that of one receipt is not stated.',
    warns: ['RCPT-ACCEPTED-TASK'],
    ...onAnswer(
      ({ operationId, receipt }) => operationId === 'reports.build' && receipt === 'accepted',
      (reply, _call, { operations }) => {
        const archived = operations.tasks.values().filter(({ operation }) => operation === 'orders.archive')
        const other = [...archived].at(-1)
        return other && isObject(reply.body)
          ? { ...reply, body: { ...reply.body, task_id: other.id } }
          : reply
      },
    ),
  }),
  'no-plan-without-subscription': variant({
    title: 'An account on no plan of its own says that it has no subscription, and shows null for its plan.',
    allowed: 'What a subscription read shows where there is no subscription is not stated.',
    ...onOperationBody(readOf('billing.subscription'), (body) =>
      isObject(body['plan']) && body['plan']['displayName'] === 'Enterprise'
        ? { ...body, status: 'none', plan: null }
        : body,
    ),
  }),
} as const satisfies Record<string, Variant>

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
