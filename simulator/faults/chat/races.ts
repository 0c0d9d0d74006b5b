/** What goes wrong only where requests with one key meet, or only now and then: each of them alone is answered well. */
import { fingerprintOf } from '../../chat/claim.ts'
import type { Call } from '../../edge/reply.ts'
import type { KeyRecord } from '../../tenant/keys.ts'
import { turnOfCall, sentBody, wantsStream } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import {
  afterRivals,
  lockedBy,
  meeting,
  messageText,
  workMs,
  type Meeting,
} from '../../modification/key-books.ts'

const leaseMs = 150
/** So many duplicates of a turn are kept waiting in a list; the next one finds it full. */
const listed = 8

export const raceFaults = {
  'stream-lease-too-short': fault({
    title: 'A streamed turn holds its key for a shorter time than it may take.',
    breaks: ['IDEM-POLL-ONE-RUN', 'IDEM-RACE-ONE-RUN', 'IDEM-ABORT-CHARGE'],
    rules: meeting(({ record, state }) => {
      const lapsed = record.state.is === 'running' && state.clock.now() - record.claimedAt > leaseMs
      return lapsed && record.streamed ? undefined : record
    }),
  }),
  'duplicate-in-progress-for-ever': fault({
    title: 'A key of which a duplicate was refused is in progress for ever.',
    breaks: ['IDEM-CONFLICT-CODE', 'IDEM-REPLAY-AT-ONCE', 'IDEM-IN-FLIGHT-OVERLAP'],
    rules: meeting(({ record }) =>
      record.duplicates > 0 ? { ...record, state: { is: 'running' } } : record,
    ),
  }),
  'rival-gets-reply': fault({
    title: 'Another message that was refused while the turn ran gets its reply afterwards.',
    breaks: ['IDEM-CONFLICT-STATUS'],
    rules: afterRivals(({ record, call, state }) => {
      const asked = turnOfCall(call, state)
      return asked ? fingerprintOf(state, asked) : record.fingerprint
    }),
  }),
  'rival-takes-key': fault({
    title:
      'Another message that is refused while the turn runs is the one that its key is known by from then on.',
    breaks: ['IDEM-CONFLICT-UNCHANGED', 'IDEM-IN-FLIGHT-UNCHANGED'],
    rules: afterRivals(() => 'of the other message'),
  }),
  'lock-by-mode': fault({
    title: 'Streamed turns and others do not see of one another which keys are in progress.',
    breaks: ['IDEM-OTHER-MODE'],
    rules: lockedBy((call) => String(wantsStream(call))),
  }),
  'lock-by-carrier': fault({
    title: 'Which keys are in progress is known apart for those in the body and those in a header.',
    breaks: ['IDEM-RACE-CARRIERS'],
    rules: lockedBy((call) => String(sentBody(call)['idempotency_key'] === undefined)),
  }),
  'every-second-key-unguarded': fault({
    title: 'Of two keys that a duplicate meets in progress, one lets the first duplicate run too.',
    breaks: ['IDEM-RACE-ONE-RUN', 'IDEM-RACE-CHARGE'],
    // Which keys these are is counted and not drawn: half of them are, and never all or none.
    rules: (rules, state) => {
      const met = new WeakSet<KeyRecord>()
      let count = 0
      const unguarded = ({ record, claimant, call }: Meeting): boolean => {
        const running = record.state.is === 'running' && state.clock.now() - record.claimedAt <= workMs
        if (!running || met.has(record)) return false
        met.add(record)
        const identical = [claimant, call].every(isPlain) && messageText(claimant) === messageText(call)
        return identical && ++count % 2 === 0
      }
      return { workMs, ...meeting((found) => (unguarded(found) ? undefined : found.record))(rules) }
    },
  }),
  'streams-at-once-run': fault({
    title: 'Streamed requests that come at once do not see of one another which keys are in progress.',
    breaks: ['IDEM-RACE-STREAM', 'IDEM-RACE-ONE-RUN'],
    rules: (rules) => ({
      workMs,
      ...meeting(({ record, claimant, call, state }) => {
        const young = record.state.is === 'running' && state.clock.now() - record.claimedAt < workMs
        const twins = [claimant, call].every(wantsStream) && messageText(claimant) === messageText(call)
        return young && twins ? undefined : record
      })(rules),
    }),
  }),
  'tenth-runs': fault({
    title: 'Of ten requests at once the last finds no room to wait in, and runs.',
    breaks: ['IDEM-RACE-ONE-RUN', 'IDEM-IN-FLIGHT-CODE'],
    rules: (rules, state) => {
      const came = new WeakMap<KeyRecord, readonly number[]>()
      return {
        workMs,
        ...meeting(({ record, claimant, call }) => {
          const twins = [claimant, call].every(isPlain) && messageText(claimant) === messageText(call)
          if (record.state.is !== 'running' || !twins) return record
          const now = state.clock.now()
          const waiting = (came.get(record) ?? []).filter((at) => now - at < leaseMs)
          came.set(record, [...waiting, now])
          return waiting.length >= listed ? undefined : record
        })(rules),
      }
    },
  }),
} as const satisfies Record<string, Fault>

/** A turn as JSON, with its key in the body. */
function isPlain(call: Call): boolean {
  return !wantsStream(call) && sentBody(call)['idempotency_key'] !== undefined
}
