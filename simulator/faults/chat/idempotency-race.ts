/** What goes wrong while a turn runs: races, leases, clients that go away, outcomes that are not known. */
import type { KeyBook, KeyState } from '../../tenant/keys.ts'
import { wantsStream, withStatus, withCode } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { found } from '../../modification/key-books.ts'

export const idempotencyRaceFaults = {
  'check-then-act': fault({
    title: 'Some time passes between looking a key up and claiming it.',
    breaks: [
      'IDEM-RACE-ONE-RUN',
      'IDEM-RACE-STREAM',
      'IDEM-RACE-CARRIERS',
      'IDEM-RACE-CHARGE',
      'IDEM-OTHER-MODE',
    ],
    rules: () => ({ claimGapMs: 6 }),
  }),
  'in-progress-as-conflict': fault({
    title: 'A duplicate of a running turn is refused as a conflict.',
    breaks: ['IDEM-IN-FLIGHT-CODE', 'IDEM-RACE-OTHERS'],
    rules: withCode('REQUEST_IN_PROGRESS', 'IDEMPOTENCY_CONFLICT'),
  }),
  'duplicate-ends-turn': fault({
    title: 'A duplicate takes its result away from the running turn, which ends in a server error.',
    breaks: ['IDEM-IN-FLIGHT-UNCHANGED'],
    reply: (reply, _call, state) =>
      reply.kind === 'json' &&
      reply.status === 200 &&
      !reply.about.replay &&
      (reply.about.duplicates ?? 0) > 0
        ? { ...reply, status: 500, body: state.rules.errorLayout(null, 'The result is gone.') }
        : reply,
  }),
  'duplicate-ends-stream': fault({
    title: 'A duplicate of a running stream is refused, and ends the stream with an error.',
    breaks: ['IDEM-IN-FLIGHT-UNCHANGED'],
    async *events(events, { key = '' }, { keys }) {
      // Looked for at once: a turn may end in the moment in which its first event is seen.
      const record = keys.running.find(({ id }) => id.endsWith(`\n${key}`))
      for await (const event of events) {
        const isTaken = record !== undefined && record.duplicates > 0
        yield isTaken ? { type: 'error', error: 'Taken over.' } : event
        if (isTaken) return
      }
    },
  }),
  'replays-mixed-up': fault({
    title: 'Turns that run at once leave the reply of the first one with all of their keys.',
    breaks: ['IDEM-RACE-KEYS'],
    rules: (rules) => {
      const together: Together = { running: 0, first: null }
      return { workMs: 20, book: (state, call) => mixed(rules.book(state, call), together) }
    },
  }),
  'key-forgotten-with-client': fault({
    title: 'When the client goes away, the key of its turn is forgotten.',
    breaks: ['IDEM-ABORT-CHARGE'],
    rules: () => ({ clientGone: 'forgotten' }),
  }),
  'key-open-once-client-left': fault({
    title: 'Once a client went away from a turn that it did not stream, each request with its key runs.',
    breaks: ['IDEM-ABORT-ONE-RUN', 'IDEM-ABORT-CHARGE', 'IDEM-REPLAY-HEADER'],
    rules: (rules) => {
      const open = new Set<string>()
      return {
        book: (state, call) => {
          const book = rules.book(state, call)
          const claim: KeyBook['claim'] = (record) => {
            if (!wantsStream(call)) call.client.watch(() => void open.add(record.id))
            book.claim(record)
          }
          return { ...book, claim, find: (id) => (open.has(id) ? undefined : book.find(id)) }
        },
      }
    },
  }),
  'uncertain-as-500': fault({
    title: 'An uncertain key is answered with a server error.',
    breaks: ['IDEM-UNCERTAIN-STATUS', 'IDEM-UNCERTAIN-CODE'],
    ...withStatus(500, 'OUTCOME_UNCERTAIN'),
  }),
  'uncertain-forgotten': fault({
    title: 'An uncertain key is free again once it was asked about.',
    breaks: ['IDEM-UNCERTAIN-STAYS', 'IDEM-REPLAY-CONVERSATION', 'IDEM-REPLAY-HEADER'],
    rules: found((record, book) => {
      if (record?.state.is === 'uncertain') book.release(record)
      return record
    }),
  }),
} as const satisfies Record<string, Fault>

/** Turns that run at once, and what the first of them came to. */
interface Together {
  running: number
  first: KeyState | null
}

function mixed(book: KeyBook, together: Together): KeyBook {
  const end = (): void => {
    if (--together.running === 0) together.first = null
  }
  return {
    ...book,
    claim: (record) => {
      together.running++
      book.claim(record)
    },
    settle: (record, state) => {
      if (state.is === 'completed') together.first ??= state
      book.settle(record, together.first ?? state)
      end()
    },
    release: (record) => {
      book.release(record)
      end()
    },
  }
}
