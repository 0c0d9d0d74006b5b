/** Replies of the routes of operations. */
import { jsonReply, type ReplyInfo, type JsonReply } from '../../server/reply.ts'
import type { RunReceipt } from '../receipt.ts'
import { isOperationRefusal, type OperationRefusal } from '../refusal.ts'
import type { OperationTenant } from '../rules/rules.ts'

export function receiptReply(
  state: OperationTenant,
  receipt: RunReceipt | OperationRefusal,
  about: ReplyInfo,
): JsonReply {
  if (isOperationRefusal(receipt)) return operationRefusalReply(state, receipt, about)
  const { rules } = state
  const { status } = receipt
  return jsonReply(rules.receiptStatus(receipt), rules.receiptBody(receipt), { ...about, receipt: status })
}

/** The code in `about` is marked, so that a modification of chat leaves it alone. */
export function operationRefusalReply(
  { rules }: OperationTenant,
  refusal: OperationRefusal,
  about: ReplyInfo,
): JsonReply {
  const { refused, status, words, members, headers } = refusal
  const body = { ...rules.refusalBody(refused, words, rules), ...members }
  return jsonReply(status, body, { ...about, code: `operations/${refused}` }, headers)
}
