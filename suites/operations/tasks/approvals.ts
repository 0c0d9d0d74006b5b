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
  type HeldEntry,
} from '../assertions/approval.ts'
import { all, every, fail, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { answered } from '../../assertions/answer.ts'
import { answersJson } from '../assertions/catalogue.ts'
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
  ['again', 0],
  ['again', 1],
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
  ['again', 0],
  ['again', 1],
  ['wait', 1],
  ['read', 0],
  ['read', 1],
]

export const rejected = scenario({
  title:
    'of two held operations the approved one is done once, and the rejected one not, however often they are sent',
  exchanges: ['receipts[]', 'reads[]', 'effect[]', 'tasks[]', 'last'],
  // Without an effect nothing is counted, but the approvals are still read.
  needs: { operation: { receipt: 'pending_approval', write: true, effect: 'preferred' } },
  cost: { requests: heldCostOf(script), turns: 0 },
  run: (t) => runHeldOnce(t, script),
  judge: {
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
    'GAP-APPROVAL-CONTINUES': (scenario, context) => over(scenario, context, continuing),
    'GAP-APPROVAL-FIELDS': ({ reads }) => approvalMembers(reads),
    'GAP-APPROVAL-STATES': (scenario, context) =>
      overReads(scenario, context, (history) =>
        approvalWords(decidedIn(history, scenario.reads), context.dialect),
      ),
  },
})

/** Records whether it was done before the request was repeated. */
function continuing(history: readonly HeldEntry[]): Judgement {
  const at = history.findIndex(({ step }) => step === 'approve')
  const next = history.slice(at).find(({ step }) => step === 'wait')
  if (at < 1 || !next) return inconclusive('nothing was approved')
  const before = history[at - 1]?.count ?? 0
  return observed(next.count > before ? 'by itself' : 'when it is sent again')
}

export const unknown = scenario({
  title:
    'a held receipt leads to an approval that a confirmation does not replace, and that no key of another account reads',
  exchanges: ['receipt', 'approval', 'confirmed', 'strangers[]', ...foreignReads],
  needs: { operation: { receipt: 'pending_approval' }, also: { stranger: { kind: 'other-account' } } },
  cost: { requests: 10, turns: 0 },
  async run(t) {
    const id =
      t.approvalOf(await t.execute('receipt', t.operation)) ??
      t.stop('the receipt shows no id of an approval; declare `dialect.receipt.approvalId`')
    await t.read('approval', approvalPath(id))
    await t.execute('confirmed', t.operation, { beside: { confirm: true } })
    for (const other of [unusedIdLike(t, id), unusedIdLike(t, id)])
      await t.readMore('strangers', approvalPath(other))
    await readAsStranger(t, approvalPath(id))
  },
  judge: {
    'EXEC-RECEIPT': ({ receipt }, { dialect }) => isReceiptLike(receipt, dialect),
    'RCPT-PENDING-APPROVAL': ({ receipt, approval: known }) =>
      given(reaches(receipt, 'pending_approval'), () => answersJson(known)),
    'APPR-CONFIRM': ({ receipt, approval: known, confirmed }, { dialect }) =>
      given(all(reaches(receipt, 'pending_approval'), answersJson(known)), () =>
        waitsAllTheSame(confirmed, approvalIdOf(receipt, dialect), dialect),
      ),
    'APPR-READ': ({ approval: known }) => readableTask(known),
    'SCOPE-FOREIGN': (scenario) => notForStrangers(scenario, 'an approval of another account'),
    'APPR-UNKNOWN': ({ approval: known, strangers }, { dialect }) =>
      given(readableTask(known), () => every(strangers, (one) => unknownApproval(known, one, dialect))),
  },
  observe: { 'GAP-RECEIPT-STATUS': ({ receipt }) => comesWith(receipt, 'pending_approval') },
})

/** A caller that claims confirmation is not the owner: the operation waits under its own id, or is refused. */
function waitsAllTheSame(confirmed: Exchange, other: string | null, dialect: Context['dialect']): Judgement {
  return given(answered(confirmed), () => {
    const status = receiptStatus(confirmed)
    if (status === 'completed' || status === 'accepted')
      return fail('a confirmed operation to wait for the owner', describeReceipt(confirmed), confirmed)
    if (status !== 'pending_approval') return refusedExecution(confirmed, 'what is confirmed')
    const id = approvalIdOf(confirmed, dialect)
    return id === null || id === other ? inconclusive('both wait under one id, or under none') : pass
  })
}
