/** Held operations: nothing is done before the decision, the work after it, and how both are shown. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
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
  heldHistory,
  onceRenamed,
  type HeldEntry,
} from '../assertions/approval.ts'
import { every, fail, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { answered } from '../../assertions/answer.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { onceByIds } from '../assertions/done-once.ts'
import { approvalIdOf } from '../assertions/pointers/pointer-receipt.ts'
import {
  comesWith,
  describeReceipt,
  failedHave,
  isReceiptLike,
  reaches,
  receiptStatus,
  refusedExecution,
} from '../assertions/receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { everyRead, readableTask } from '../assertions/task.ts'
import { approvalPath, heldCostOf, runHeldOnce, type HeldScript } from './approval-sequence.ts'
import { foreignReads, notForStrangers, readAsStranger, unusedIdLike } from '../access/foreign.ts'

const script: HeldScript = [
  ['ask', 0],
  ['ask', 1],
  ['read', 0],
  ['read', 1],
  ['aside', 0],
  ['again', 0],
  ['again', 1],
  ['again', 0],
  ['wait', 1],
  // What differs between two reads says nothing of a decision.
  ['read', 0],
  ['read', 1],
  ['approve', 1],
  ['twice', 1],
  ['wait', 1],
  ['again', 1],
  ['settle', 1],
  ['again', 1],
  ['wait', 1],
  ['reject', 0],
  ['again', 0],
  ['wait', 0],
]

export const decided = scenario({
  title:
    'of two held operations the approved one is done once, and the rejected one not, however often they are sent; a confirmation replaces no approval, and no key of another account reads one',
  exchanges: [
    ...(['confirmed', 'receipts[]', 'reads[]', 'effect[]', 'tasks[]', 'last', 'strangers[]'] as const),
    ...foreignReads,
  ],
  // Without an effect nothing is counted, but the approvals are still read.
  needs: {
    operation: { receipt: 'pending_approval', write: true, effect: 'preferred' },
    also: { stranger: { kind: 'other-account' } },
  },
  cost: { requests: heldCostOf(script) + 5, turns: 0 },
  async run(t) {
    await t.execute('confirmed', t.operation, { beside: { confirm: true } })
    await runHeldOnce(t, script, async (id) => {
      await t.readMore('strangers', approvalPath(unusedIdLike(t, id)))
      await readAsStranger(t, approvalPath(id))
    })
  },
  judge: {
    'EXEC-RECEIPT': ({ receipts }, { dialect }) =>
      every(receipts.slice(0, 2), (receipt) => isReceiptLike(receipt, dialect)),
    'RCPT-PENDING-APPROVAL': ({ receipts, reads }) => leadsToApproval(receipts, reads),
    'APPR-CONFIRM': ({ receipts, reads, confirmed }, { dialect }) =>
      given(leadsToApproval(receipts, reads), () =>
        given(answered(confirmed), () => {
          // A caller that claims confirmation is not the owner: the operation waits under its own id, or is refused.
          const status = receiptStatus(confirmed)
          if (status === 'completed' || status === 'accepted')
            return fail('a confirmed operation to wait for the owner', describeReceipt(confirmed), confirmed)
          if (status !== 'pending_approval') return refusedExecution(confirmed, 'what is confirmed')
          const id = approvalIdOf(confirmed, dialect)
          const isShared = receipts.some((receipt) => approvalIdOf(receipt, dialect) === id)
          return id === null || isShared ? inconclusive('both wait under one id, or under none') : pass
        }),
      ),
    'SCOPE-FOREIGN': (scenario) => notForStrangers(scenario, 'an approval of another account'),
    'APPR-UNKNOWN': ({ reads, strangers }, { dialect }) =>
      every(reads.slice(0, 1), (known) =>
        given(readableTask(known), () => every(strangers, (one) => unknownApproval(known, one, dialect))),
      ),
    // Those of the script before any decision.
    'EXEC-RETRY-ONE-RUN': ({ receipts: [first, other, second, , third], effect }, context) =>
      first && other && second && third
        ? onceByIds(
            { same: [first, second, third], other },
            'pending_approval',
            approvalIdOf,
            context.dialect,
            onceRenamed(heldHistory(context.notes), effect, context.dialect),
          )
        : inconclusive('it was not sent again before the owner decided'),
    'APPR-APPROVED': (scenario, context) => over(scenario, context, onceApproved),
    // Neither done nor reported as done: receipts are judged even if nothing can be counted.
    'APPR-HELD': (scenario, context) => {
      const { receipts } = scenario
      const reported = overReads(scenario, context, (history) => waitsUntilDecided(history, receipts))
      return reported.is === 'fail' ? reported : over(scenario, context, nothingBefore)
    },
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
    'GAP-RECEIPT-STATUS': ({ receipts: [receipt] }) =>
      receipt ? comesWith(receipt, 'pending_approval') : inconclusive('nothing was held'),
    'GAP-APPROVAL-CONTINUES': (scenario, context) => over(scenario, context, continuing),
    'GAP-APPROVAL-FIELDS': ({ reads }) => approvalMembers(reads),
    'GAP-APPROVAL-STATES': (scenario, context) =>
      overReads(scenario, context, (history) =>
        approvalWords(decidedIn(history, scenario.reads), context.dialect),
      ),
  },
})

function continuing(history: readonly HeldEntry[]): Judgement {
  const at = history.findIndex(({ step }) => step === 'approve')
  const next = history.slice(at).find(({ step }) => step === 'wait')
  if (at < 1 || !next) return inconclusive('nothing was approved')
  const before = history[at - 1]?.count ?? 0
  return observed(next.count > before ? 'by itself' : 'when it is sent again')
}

function leadsToApproval(receipts: readonly Exchange[], reads: readonly Exchange[]): Judgement {
  return given(
    every(receipts.slice(0, 1), (receipt) => reaches(receipt, 'pending_approval')),
    () => every(reads.slice(0, 1), answersJson),
  )
}
