/** Keys that are not found while something else is so. */
import type { Rules } from '../rules.ts'
import { turnOfCall } from './asked.ts'

/**
 * While AI replies are paused, a request that was answered before counts as a new message. What was answered before
 * is found again after the pause.
 */
export function pauseHidesReplies(rules: Rules): Partial<Rules> {
  return {
    book: (tenantState, call) => {
      const book = rules.book(tenantState, call)
      if (!turnOfCall(call, tenantState)?.agent.paused) return book
      const isHidden = (id: string): boolean => {
        const state = book.find(id)?.state
        return state?.is === 'completed' && state.reply.customerMessage === null
      }
      return {
        ...book,
        find: (id) => (isHidden(id) ? undefined : book.find(id)),
        claim: (record) => (isHidden(record.id) ? undefined : book.claim(record)),
      }
    },
  }
}
