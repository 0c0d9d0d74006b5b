/** Billing reads, inspections and uploads that keep the contract in ways that it leaves open. */
import { isObject } from '../../json.ts'
import { failed, long, type Completed, type Failed, type Outcome } from '../../operations/operation.ts'
import { failedReceipt } from '../../operations/receipt.ts'
import type { Account } from '../../world/credits.ts'
import { variant, type Variant } from '../deviation.ts'
import { onAnswer, onBody, readOf } from '../operation-changes.ts'

/** How old the usage may be that is shown, in milliseconds. */
const staleMs = 20_000

function ended(outcome: Outcome): Completed | Failed {
  const hasEnded = outcome.is === 'completed' || outcome.is === 'failed'
  return hasEnded ? outcome : failed('STILL_RUNNING', 'Inspect it again.')
}

const inspection = 'agent_setup.inspect'

export const billingAndUploadVariants = {
  'usage-lags': variant({
    title: 'The usage shows for twenty seconds what it showed before.',
    allowed: 'How soon the usage follows a turn is not stated.',
    rules: (was, world) => {
      const seen = new WeakMap<Account, { at: number; left: number }>()
      return {
        creditsLeft(account) {
          const now = world.clock.now()
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
    ...onBody(readOf('billing.subscription'), ({ plan, ...body }) => ({
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
        subscription: (account, world) => {
          const { plan, ...shown } = was.subscription(account, world)
          return { ...shown, plan: { ...(isObject(plan) ? plan : {}), reads: ++reads } }
        },
      }
    },
  }),
  'invoices-beside-links': variant({
    title: 'An answer with invoices has links to other pages, as many as there are.',
    allowed: 'How the list of invoices looks is not stated.',
    ...onBody(readOf('billing.invoices'), (body) => ({
      links: ['self', 'next', 'last'].map((rel) => ({ rel, href: `?page=${rel}` })),
      ...body,
    })),
  }),
  'inspection-accepted': variant({
    title: 'An inspection is accepted, and its result is that of a task.',
    allowed: 'Which receipt an inspection leads to is not stated.',
    rules: ({ catalogue }) => ({
      catalogue: catalogue.map((operation) =>
        operation.id === inspection
          ? {
              ...operation,
              perform: () => long(),
              finish: (world, job) => ended(operation.perform(world, job)),
            }
          : operation,
      ),
    }),
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
