/** Held operations: nothing is done before the decision, the work after it, and how both are shown. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import {
  approvalMembers,
  approvalWords,
  decidedIn,
  showsDecisions,
  unknownApproval,
  waitsUntilDecided,
  nothingAfterRejection,
  nothingBefore,
  onceApproved,
  over,
  overReads,
  type Counted,
  type HeldEntry,
} from '../assertions/approval.ts'
import { every, given, inconclusive, observed } from '../../scenario/expect.ts'
import { failedHave } from '../assertions/receipt.ts'
import { everyRead, readableTask } from '../assertions/task.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { approvalPath, heldCostOf, runHeldOnce, type HeldScript } from './approval-sequence.ts'
import { unusedIdLike } from '../access/unused-ids.ts'

/** Without an effect nothing is counted, but the approvals are still read. */
const needs = { operation: { receipt: 'pending_approval', write: true, effect: 'preferred' } } as const
const exchanges = ['receipts[]', 'reads[]', 'effect[]', 'tasks[]', 'last'] as const

const counted = {
  'APPR-HELD': (scenario: Counted, context: Context) => over(scenario, context, nothingBefore),
  'APPR-APPROVED': (scenario: Counted, context: Context) => over(scenario, context, onceApproved),
}

export const approved = scenario({
  title: 'a held operation is done once after its approval, and not before',
  exchanges,
  needs,
  cost: { requests: heldCostOf(approval()), turns: 0 },
  run: (t) => runHeldOnce(t, approval()),
  judge: {
    ...counted,
    'APPR-HELD': (scenario, context) => heldUntilDecided(scenario, context),
    'APPR-READ': ({ reads }) => everyRead(reads, readableTask),
  },
  observe: {
    'GAP-APPROVAL-CONTINUES': (scenario, context) => over(scenario, context, continuing),
    'GAP-APPROVAL-FIELDS': ({ reads }) => approvalMembers(reads),
  },
})

/** Neither done nor reported as done: receipts are judged even if nothing can be counted. */
function heldUntilDecided(
  scenario: Counted & { receipts: readonly Exchange[] },
  context: Context,
): Judgement {
  const { receipts } = scenario
  const reported = overReads(scenario, context, (history) => waitsUntilDecided(history, receipts))
  const done = over(scenario, context, nothingBefore)
  return reported.is === 'fail' ? reported : done
}

function approval(): HeldScript {
  return [
    ['ask', 0],
    ['read', 0],
    ['wait', 0],
    ['again', 0],
    ['wait', 0],
    ['approve', 0],
    ['twice', 0],
    ['wait', 0],
    ['again', 0],
    ['settle', 0],
    ['again', 0],
    ['wait', 0],
    ['again', 0],
    ['wait', 0],
    ['read', 0],
  ]
}

/** Records whether it was done before the request was repeated. */
function continuing(history: readonly HeldEntry[]): Judgement {
  const at = history.findIndex(({ step }) => step === 'approve')
  const next = history.slice(at).find(({ step }) => step === 'wait')
  if (at < 1 || !next) return inconclusive('nothing was approved')
  const before = history[at - 1]?.count ?? 0
  return observed(next.count > before ? 'by itself' : 'when it is sent again')
}

export const rejected = scenario({
  title: 'of two held operations the rejected one is not done, however often it is sent',
  exchanges,
  needs,
  cost: { requests: heldCostOf(rejection()), turns: 0 },
  run: (t) => runHeldOnce(t, rejection()),
  judge: {
    ...counted,
    'APPR-REJECTED': (scenario, context) => over(scenario, context, nothingAfterRejection),
    'APPR-DECISION-SHOWN': (scenario, context) =>
      overReads(scenario, context, (history) =>
        showsDecisions(decidedIn(history, scenario.reads), context.dialect),
      ),
    'APPR-READ': ({ reads }) => everyRead(reads, readableTask),
    'RCPT-FAILED-CODE': ({ receipts }) => failedHave(receipts, 'code'),
    'RCPT-FAILED-RESOLUTION': ({ receipts }) => failedHave(receipts, 'resolution'),
  },
  observe: {
    'GAP-APPROVAL-STATES': (scenario, context) =>
      overReads(scenario, context, (history) =>
        approvalWords(decidedIn(history, scenario.reads), context.dialect),
      ),
  },
})

function rejection(): HeldScript {
  return [
    ['ask', 0],
    ['ask', 1],
    ['read', 0],
    ['read', 1],
    ['wait', 0],
    ['read', 0],
    ['read', 1],
    ['reject', 0],
    ['wait', 0],
    ['again', 0],
    ['wait', 0],
    ['approve', 1],
    ['again', 1],
    ['settle', 1],
    ['again', 0],
    ['wait', 0],
    ['again', 1],
    ['wait', 1],
    ['read', 0],
    ['read', 1],
  ]
}

export const unknown = scenario({
  title: 'an id that differs from that of an approval in one character has no approval',
  exchanges: ['receipt', 'approval', 'strangers[]'],
  needs: { operation: { receipt: 'pending_approval' } },
  cost: { requests: 6, turns: 0 },
  async run(t) {
    const id =
      t.approvalOf(await t.execute('receipt', t.operation)) ??
      t.stop('the receipt shows no id of an approval; declare `dialect.receipt.approvalId`')
    await t.read('approval', approvalPath(id))
    for (const other of [unusedIdLike(t, id), unusedIdLike(t, id)])
      await t.readMore('strangers', approvalPath(other))
  },
  judge: {
    'APPR-READ': ({ approval: known }) => readableTask(known),
    'APPR-UNKNOWN': ({ approval: known, strangers }, { dialect }) =>
      given(readableTask(known), () => every(strangers, (one) => unknownApproval(known, one, dialect))),
  },
})
