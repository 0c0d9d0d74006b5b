/** Billing reads, inspections and uploads that keep the contract in ways that it leaves open. */
import { isObject } from '../json.ts'
import {
  failedOutcome,
  continuesAsTask,
  type Completed,
  type Failed,
  type OperationOutcome,
  failedReceipt,
} from '../tenant/operations/operation.ts'
import type { Account } from '../tenant/conversations.ts'
import { variant, type Variant } from '../modification/modification.ts'
import { memberText } from '../modification/changes.ts'
import { forgiving, fussy, onAnswer, onOperationBody, readOf } from '../modification/operation-changes.ts'

const staleMs = 20_000

function ended(outcome: OperationOutcome): Completed | Failed {
  const hasEnded = outcome.is === 'completed' || outcome.is === 'failed'
  return hasEnded ? outcome : failedOutcome('STILL_RUNNING', 'Inspect it again.')
}

export const billingAndUploadVariants = {
  'usage-lags': variant({
    title: 'The usage shows for twenty seconds what it showed before.',
    allowed: 'How soon the usage follows a turn is not stated.',
    rules: (was, state) => {
      const seen = new WeakMap<Account, { at: number; left: number }>()
      return {
        creditsLeft(account) {
          const now = state.clock.now()
          const known = seen.get(account)
          if (known && now - known.at < staleMs) return known.left
          const left = was.creditsLeft(account)
          seen.set(account, { at: now, left })
          return left
        },
      }
    },
  }),
  'plan-in-snake-case': variant({
    title: 'The plan of the subscription has a `display_name`.',
    allowed: 'The billing reads are described as the client library shows them.',
    ...onOperationBody(readOf('billing.subscription'), ({ plan, ...body }) => ({
      ...body,
      plan: isObject(plan) ? { display_name: plan['displayName'] ?? null } : (plan ?? null),
    })),
  }),
  'subscription-that-counts': variant({
    title: 'The plan of the subscription shows how often it was read.',
    allowed: 'What else a subscription shows is not stated.',
    rules: (was) => {
      let reads = 0
      return {
        subscription: (account, state) => {
          const { plan, ...shown } = was.subscription(account, state)
          return { ...shown, plan: { ...(isObject(plan) ? plan : {}), reads: ++reads } }
        },
      }
    },
  }),
  'invoices-beside-links': variant({
    title: 'An answer with invoices has links to other pages, as many as there are.',
    allowed: 'How the list of invoices looks is not stated.',
    ...onOperationBody(readOf('billing.invoices'), (body) => ({
      links: ['self', 'next', 'last'].map((rel) => ({ rel, href: `?page=${rel}` })),
      ...body,
    })),
  }),
  'inspection-accepted': variant({
    title: 'An inspection is accepted, and its result is that of a task.',
    allowed: 'Which receipt an inspection leads to is not stated.',
    rules: ({ catalogue }) => ({
      catalogue: catalogue.map((operation) =>
        operation.id === 'agent_setup.inspect'
          ? {
              ...operation,
              perform: () => continuesAsTask(),
              finish: (state, job) => ended(operation.perform(state, job)),
            }
          : operation,
      ),
    }),
  }),
  'inputs-checked-beyond-schema': variant({
    title:
      'Instructions of a draft are refused as invalid from a thousand characters on, which their schema allows.',
    allowed: 'That a schema says all that an input has to be is not stated.',
    warns: ['EXEC-INPUT'],
    rules: fussy('agent_design.draft', ({ instructions }) => memberText(instructions).length > 1_000),
  }),
  'unknown-members-ignored': variant({
    title: 'A member of an input that its schema does not know is left out.',
    allowed: 'What becomes of a member that the schema does not know is not stated.',
    warns: ['EXEC-INPUT-INVALID'],
    rules: forgiving(/additional properties/),
  }),
  'ids-looked-up-first': variant({
    title: 'A task or approval that does not exist is not found, whatever the key.',
    allowed: 'In which order a key and an id are looked at is not stated.',
    ...onAnswer(
      ({ operation }, { status }) => ['task', 'approval'].includes(operation) && status === 401,
      (reply) => ({ ...reply, status: 404 }),
    ),
  }),
  'webhook-list-on-any-plan': variant({
    title: 'The webhooks of an agent are listed on every plan, and set on those that have the settings.',
    allowed: 'Which routes are the settings is not stated.',
    reply: (reply, { method, path }) =>
      reply.kind === 'json' &&
      method === 'GET' &&
      path.endsWith('/webhooks') &&
      reply.status === 403 &&
      /\bplan\b/i.test(JSON.stringify(reply.body))
        ? { ...reply, status: 200, body: { webhooks: [] } }
        : reply,
  }),
  'lapsed-upload-gone': variant({
    title: 'An upload that lapsed is refused with 410 and a code of its own.',
    allowed: 'How an upload is refused that lapsed is not stated.',
    rules: () => ({
      renewalReceipt: () => failedReceipt('UPLOAD_LAPSED', 'The upload has lapsed; prepare another one.'),
    }),
    ...onAnswer(
      ({ operation, receipt }, { body }) =>
        operation === 'finalize-upload' &&
        receipt === 'failed' &&
        JSON.stringify(body).includes('UPLOAD_LAPSED'),
      (reply) => ({ ...reply, status: 410 }),
    ),
  }),
} as const satisfies Record<string, Variant>
