/** Rules over operations, their receipts and tasks, and what is read of billing. */
import { statusOf } from '../assertions/answer.ts'
import type { Dialect } from '../config/dialect.ts'
import { hasCredits } from '../chat/assertions/usage.ts'
import { showsSomething } from '../operations/assertions/billing.ts'
import { showsNoCard } from '../operations/assertions/card.ts'
import { answersJson, schemasApart, schemasStand } from '../operations/assertions/catalogue.ts'
import {
  hasData,
  hasKnownStatus,
  hasStatusText,
  leadsToTask,
  receiptStatus,
  type ReceiptStatus,
} from '../operations/assertions/receipt.ts'
import { hasKnownState, readableTask, staysFinal } from '../operations/assertions/task.ts'
import { inconclusive, pass, inTurn } from '../scenario/expect.ts'
import type { Context, Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { memo } from '../wire/memo/memo.ts'
import { placeOf } from './chat.ts'
import { eachList, eachOf, ruleOver, those } from './rule.ts'

const isRead = ({ inbound, request }: Exchange): boolean =>
  !inbound && request.method === 'GET' && /^\/api\/v1\/tasks\/[^/?]+$/.test(request.path)

export const isShownTask = (one: Exchange): boolean => isRead(one) && statusOf(one) === 200

/** How long a finished task can be read is not shown; so soon after it was read it still can, with the same key. */
const soonMs = 60_000

function isOfKnown(all: readonly Exchange[]) {
  const nameOf = (one: Exchange): string => `${one.scenario} ${placeOf(one)}`
  const isSoon = (one: Exchange, known: Exchange): boolean =>
    one.sentAt >= known.sentAt && one.sentAt - known.endedAt < soonMs
  const shown = Map.groupBy(all.filter(isShownTask), nameOf)
  return (one: Exchange): boolean =>
    isRead(one) && one.failure === null && !!shown.get(nameOf(one))?.some((known) => isSoon(one, known))
}

/** The reads of each task that no other one overlaps. */
function apart(all: readonly Exchange[]): readonly Exchange[][] {
  const byPath = Map.groupBy(all.filter(isRead), ({ request }) => request.path)
  return [...byPath.values()].map((reads) =>
    reads.filter((one) =>
      reads.every((other) => other === one || other.endedAt < one.sentAt || one.endedAt < other.sentAt),
    ),
  )
}

export const tasks = ruleOver('every task that is read has a known state, and a final one stays', {
  'TASK-READ': (all) => eachOf(those(all, isOfKnown(all)), 'reads of tasks', readableTask),
  'TASK-STATE-KNOWN': (all, { dialect }) =>
    eachOf(those(all, isShownTask), 'reads of tasks', (one) => hasKnownState(one, dialect)),
  'TASK-FINAL': (all, { dialect }) => eachList(apart(all), 'tasks', (reads) => staysFinal(reads, dialect)),
})

const executions = '/api/v1/operation-executions/'

const isListing = (one: Exchange): boolean =>
  one.request.path === '/api/v1/operations' && statusOf(one) === 200

/** What was executed. A refusal may have any form. */
const receiptsIn = memo((all: readonly Exchange[]): readonly Exchange[] =>
  all.filter(
    (one) =>
      !one.inbound && one.request.path.startsWith(executions) && statusOf(one) >= 200 && statusOf(one) < 300,
  ),
)

const ofReceipts =
  (judge: (receipt: Exchange, dialect: Dialect) => Judgement, status?: ReceiptStatus) =>
  (all: readonly Exchange[], { dialect }: Context) =>
    eachOf(
      those(receiptsIn(all), (one) => status === undefined || receiptStatus(one) === status),
      status === undefined ? 'receipts' : `receipts \`${status}\``,
      (one) => judge(one, dialect),
    )

export const receipts = ruleOver('every receipt has the members of its status', {
  'RCPT-STATUS': ofReceipts(hasStatusText),
  'RCPT-STATUS-KNOWN': ofReceipts(hasKnownStatus),
  'RCPT-COMPLETED-DATA': ofReceipts((receipt) => {
    // That a result is null is weighed where it is known to have one.
    const judged = hasData(receipt)
    return judged.is === 'warn' ? pass : judged
  }, 'completed'),
  'RCPT-ACCEPTED-TASK': ofReceipts(leadsToTask, 'accepted'),
})

const usagePath = '/api/v1/billing/usage'
const listings = ['subscription', 'plans', 'invoices'] as const

/** By a route of the contract or of the target file; an operation is one where a scenario about billing executes it. */
function isBillingRead({ inbound, request, scenario }: Exchange, { routes }: Dialect): boolean {
  const path = request.path.split('?', 1)[0] ?? ''
  const isRoute = path === usagePath || listings.some((name) => routes?.[name] === path)
  return !inbound && (isRoute || (path.startsWith(executions) && scenario.startsWith('billing')))
}

const isUsage = (one: Exchange): boolean =>
  !one.inbound && one.request.path === usagePath && answersJson(one).is === 'pass'

export const billingReads = ruleOver('no read of billing shows a card, and every usage shows its credits', {
  'BILL-USAGE-CREDITS': (all, { dialect }) =>
    eachOf(those(all, isUsage), 'reads of usage', (one) => hasCredits(one, dialect)),
  'BILL-NO-CARD': (all, { dialect }) => {
    const shown = those(all, (one) => isBillingRead(one, dialect) && showsSomething(one).is === 'pass')
    const judged = eachOf(shown, 'reads of billing', showsNoCard)
    const isComplete = (one: Exchange): boolean => isUsage(one) && hasCredits(one, dialect).is === 'pass'
    return judged.is === 'pass' && !all.some(isComplete)
      ? inconclusive('no usage showed its credits')
      : judged
  },
})

export const schemas = ruleOver('every list of operations has their schemas', {
  'OPS-SCHEMA': (all, context) => {
    const completed = receiptsIn(all).filter((one) => receiptStatus(one) === 'completed')
    return eachOf(those(all, isListing), 'lists of operations', (list) =>
      inTurn(schemasStand(list, context), schemasApart(list, completed, context)),
    )
  },
})
