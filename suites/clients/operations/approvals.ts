/** Work that waits for the owner: its approval is read before the work counts as finished. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, pass } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { lastSegment, sameKeyThroughout, whereSuccessful } from '../assertions/request.ts'
import { whereSentAgain } from '../assertions/retry.ts'
import { readBeforeFinished } from '../assertions/follow-up.ts'
import { sentTo, reportedIn } from '../assertions/step-result.ts'
import {
  approvalId,
  completedReceipt,
  failureReceipt,
  pendingReceipt,
  routes,
  script,
} from '../execution/step.ts'
import { clientScenario, type ClientScenario } from '../client-scenario.ts'

const erasing = {
  do: 'execute',
  operation: 'customers.erase',
  input: { customerId: 'cus_1001', reason: 'customer-asked' },
  idempotencyKey: 'erasure-of-one-customer',
} as const

const erased = completedReceipt({ customerId: 'cus_1001', found: true })
const notErased = failureReceipt('APPROVAL_REJECTED', 'Ask the owner before it is sent again.')

function approval(state: 'pending' | 'approved' | 'rejected', receipt: Json = null): Json {
  const status = { pending: 'pending_approval', approved: 'completed', rejected: 'failed' }[state]
  return { id: approvalId, approval_id: approvalId, state, status, ...(receipt === null ? {} : { receipt }) }
}

/** Held, until the owner has decided: then the same request, sent again, has its receipt. */
function deciding(
  title: string,
  reads: readonly Json[],
  receipts: readonly Json[],
  more: (held: readonly Exchange[], context: Context) => Judgement = () => pass,
): ClientScenario {
  return clientScenario({
    title,
    steps: {
      held: {
        task: erasing,
        service: {
          networkFaults: [...script(routes.execution, receipts), ...script(routes.approval, reads)],
        },
      },
    },
    judge: {
      'LIB-APPROVAL': ({ held }, context) =>
        whereSuccessful(sentTo(held, 'execution'), () =>
          all(readAsApproval(held), more(held, context), readBeforeFinished(held, context, 'held')),
        ),
      // Another key would be another write, whatever it is sent again for.
      'LIB-WRITE-KEY': ({ held }) =>
        whereSentAgain(
          held.filter((one) => lastSegment(one) === erasing.operation),
          (runs) => sameKeyThroughout(runs, [erasing.idempotencyKey]),
          'execution',
        ),
    },
  })
}

/** The id of an approval names no task. */
function readAsApproval(exchanges: readonly Exchange[]): Judgement {
  const odd = sentTo(exchanges, 'task').find((read) => lastSegment(read) === approvalId)
  return check(!odd, 'the approval read as an approval', 'as a task', odd)
}

export const pending = deciding(
  'held work is not finished while nobody has decided',
  [approval('pending')],
  [pendingReceipt],
  (sent, context) => {
    const [claim] = reportedIn(context, 'held', 'finished')
    return check(!claim, 'work that waits for the owner', 'work reported as finished', sent.at(-1))
  },
)
export const approves = deciding(
  'held work is finished once its approval was read, which the owner gave',
  [approval('pending'), approval('approved', erased)],
  [pendingReceipt, erased],
)
export const rejects = deciding(
  'held work that the owner rejects is known to be rejected once its approval was read',
  [approval('pending'), approval('rejected', notErased)],
  [pendingReceipt, notErased],
)
