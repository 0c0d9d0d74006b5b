/** Replies of the routes of operations. */
import { json, type About, type JsonReply } from '../../server/reply.ts'
import type { Receipt } from '../receipt.ts'
import type { Refusal } from '../refusal.ts'
import type { OperationTenant } from '../rules/rules.ts'

export function receiptReply({ rules }: OperationTenant, receipt: Receipt, about: About): JsonReply {
  const { status } = receipt
  return json(rules.receiptStatus(receipt), rules.receiptBody(receipt), { ...about, receipt: status })
}

/** The code in `about` is marked, so that a modification of chat leaves it alone. */
export function refusalReply({ rules }: OperationTenant, refusal: Refusal, about: About): JsonReply {
  const { refused, status, words, members, headers } = refusal
  const body = { ...rules.refusalBody(refused, words, rules), ...members }
  return json(status, body, { ...about, code: `operations/${refused}` }, headers)
}
