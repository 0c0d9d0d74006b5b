/** Ways in which a server remembers idempotency keys in more than one place, or not at all. */
import type { ChatTenant } from '../rules/chat.ts'
import type { Call } from '../edge/reply.ts'
import { remembered } from '../tenant/book.ts'
import type { Rules } from '../rules/tenant-state.ts'
import { createKeyBook, type KeyBook, type KeyRecord } from '../tenant/keys.ts'
import { turnOfCall, sentBody } from './changes.ts'

type RulesChange = (rules: Rules) => Partial<Rules>

/**
 * Keys of calls that differ in `part` are different keys. What was said of a key from outside, that its outcome
 * is uncertain, holds for all of them.
 */
export function rememberedBy(part: (call: Call) => string): RulesChange {
  return (rules) => {
    const books = new Map<string, KeyBook>()
    return {
      book: (state, call) => {
        const [common, name] = [rules.book(state, call), part(call)]
        const own = remembered(books, name, () => createKeyBook())
        const find: KeyBook['find'] = (id) => {
          const record = common.find(id)
          return record?.state.is === 'uncertain' ? record : own.find(id)
        }
        return { ...own, find }
      },
    }
  }
}

/** Keys of such calls are accepted and not remembered. */
export function forgotten(when: (call: Call) => boolean): RulesChange {
  return (rules) => ({
    book: (state, call) => (when(call) ? createKeyBook() : rules.book(state, call)),
  })
}

type Found = ReturnType<KeyBook['find']>

/** Changes what is found of a key. */
export function found(change: (record: Found, book: KeyBook, state: ChatTenant) => Found): RulesChange {
  return (rules) => ({
    book: (state, call) => {
      const book = rules.book(state, call)
      return { ...book, find: (id) => change(book.find(id), book, state) }
    },
  })
}

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

/** Long enough for requests that are sent together to meet. */
export const workMs = 20

/** A request that finds its key taken: by what, and by which call it was claimed. */
export interface Meeting {
  readonly record: KeyRecord
  readonly claimant: Call
  readonly call: Call
  readonly state: ChatTenant
}

/** Changes what a request finds; undefined: nothing, so that it runs. */
export function meeting(change: (found: Meeting) => KeyRecord | undefined) {
  return (rules: Rules): Pick<Rules, 'book'> => {
    const claimants = new WeakMap<KeyRecord, Call>()
    return {
      book: (state, call) => {
        const book = rules.book(state, call)
        return {
          ...book,
          claim: (record) => {
            claimants.set(record, call)
            book.claim(record)
          },
          find: (id) => {
            const record = book.find(id)
            const claimant = record && claimants.get(record)
            return claimant ? change({ record, claimant, call, state }) : record
          },
        }
      },
    }
  }
}

/** Calls see a running key only where they have this part in common with one for which it runs. */
export function lockedBy(part: (call: Call) => string) {
  return (rules: Rules): Partial<Rules> => {
    const locks = new Map<string, KeyRecord>()
    return {
      workMs,
      book: (state, call) => {
        const book = rules.book(state, call)
        const lock = (id: string): string => `${id} ${part(call)}`
        return {
          ...book,
          find: (id) => {
            const record = book.find(id)
            return record?.state.is === 'running' ? locks.get(lock(id)) : record
          },
          // Whoever was first writes down what came of it.
          claim: (record) => {
            locks.set(lock(record.id), record)
            if (book.find(record.id)?.state.is !== 'running') book.claim(record)
          },
        }
      },
    }
  }
}

export const messageText = (call: Call): string => JSON.stringify(sentBody(call)['message'] ?? null)

/** The fingerprint of a completed key that another message met while it ran. */
export function afterRivals(fingerprint: (found: Meeting) => string) {
  return (rules: Rules): Partial<Rules> => {
    const rivals = new WeakSet<KeyRecord>()
    return {
      workMs,
      ...meeting((found) => {
        const { record, claimant, call } = found
        const running = record.state.is === 'running'
        if (running && messageText(claimant) !== messageText(call)) rivals.add(record)
        return running || !rivals.has(record) ? record : { ...record, fingerprint: fingerprint(found) }
      })(rules),
    }
  }
}
