/** Ways in which what a request finds of its key depends on the request that claimed it, or on others that met it. */
import type { ChatTenant } from '../chat/rules.ts'
import type { Call } from '../server/call.ts'
import type { Rules } from '../rules.ts'
import type { KeyRecord } from '../tenant/keys.ts'
import { sentBody } from './asked.ts'

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
