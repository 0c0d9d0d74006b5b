/** Ways in which a server remembers idempotency keys in more than one place, or not at all. */
import type { ChatTenant } from '../chat/rules.ts'
import type { Call } from '../server/call.ts'
import type { Rules } from '../rules.ts'
import { createKeyBook, type KeyBook } from '../tenant/keys.ts'

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
        const own = books.get(name) ?? createKeyBook()
        books.set(name, own)
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
