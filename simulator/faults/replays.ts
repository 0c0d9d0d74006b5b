/** Replays that are marked wrongly, differ from the original, or are not replays at all; keys in flight. */
import type { JsonObject } from '../json.ts'
import {
  memberText,
  onEvent,
  onEvents,
  refuseWhere,
  wantsStream,
  withCode,
  withStatus,
} from '../modification/changes.ts'
import { found } from '../modification/key-books.ts'
import { type Fault, fault } from '../modification/modification.ts'
import type { Rules, TenantState } from '../rules/tenant-state.ts'
import type { KeyBook, KeyRecord, KeyState } from '../tenant/keys.ts'

const relabelled = (presentation: JsonObject | null): JsonObject | null =>
  presentation && (JSON.parse(JSON.stringify(presentation).replaceAll('"choice-', '"option-')) as JsonObject)

/** The `done` of a replay has another text, where the turn was a streamed one of this agent. */
const replayedAs = (agent: string, text: string): Pick<Fault, 'events'> =>
  onEvent('done', (event, about) =>
    about.original === 'stream' && about.agent === agent ? { ...event, response: text } : event,
  )

type RulesChange = NonNullable<Fault['rules']>
type Replayed = ReturnType<Rules['replayReply']>

const replaying =
  (change: (reply: Replayed, state: TenantState) => Replayed): RulesChange =>
  (rules, state) => ({ replayReply: (...given) => change(rules.replayReply(...given), state) })

/** A replay of such turns as a stream ends with one more `done`. */
const doneTwice =
  (concerned: (record: KeyRecord) => boolean): RulesChange =>
  (rules) => ({
    replayEvents: (record, done, original) => [
      ...rules.replayEvents(record, done, original),
      ...(concerned(record) ? [done] : []),
    ],
  })

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

export const replayFaults = {
  'replay-unmarked': fault({
    title: 'A replay carries no replay header.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-STREAM-REPLAY-HEADER'],
    rules: () => ({ replayHeaders: [] }),
  }),
  'replay-marked-yes': fault({
    title: 'The replay header of a replay says yes.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-STREAM-REPLAY-HEADER'],
    rules: (_rules, { identifiers }) => ({ replayHeaders: [[identifiers.replayHeader, 'yes']] }),
  }),
  'fresh-marked': fault({
    title: 'A first answer carries the replay header too.',
    breaks: [
      'IDEM-FRESH-UNMARKED',
      'IDEM-IN-FLIGHT-UNCHANGED',
      'IDEM-KEY-MAX',
      'IDEM-POLL-ONE-RUN',
      'IDEM-RACE-CARRIERS',
      'IDEM-RACE-CHARGE',
      'IDEM-RACE-ONE-RUN',
      'IDEM-RACE-STREAM',
      'IDEM-SQUATTING',
    ],
    reply: (reply, _call, { identifiers }) =>
      reply.kind !== 'drop' && reply.status === 200 && !reply.about.replay
        ? { ...reply, headers: [...reply.headers, [identifiers.replayHeader, 'true']] }
        : reply,
  }),
  'replay-in-new-conversation': fault({
    title: 'A replay names a conversation of its own.',
    breaks: ['IDEM-REPLAY-CONVERSATION', 'IDEM-STREAM-REPLAY-CONVERSATION'],
    rules: replaying((reply, { random }) => ({ ...reply, conversation: random.uuid() })),
  }),
  'replay-shortened': fault({
    title: 'Of a reply only 32 characters are kept for its replay.',
    breaks: ['IDEM-REPLAY-RESPONSE', 'IDEM-STREAM-REPLAY-RESPONSE'],
    rules: replaying((reply) => ({ ...reply, response: reply.response.slice(0, 32) })),
  }),
  'replay-of-paused-answered': fault({
    title: 'The replay of a message stored while paused has a standard text as response.',
    breaks: ['IDEM-REPLAY-PAUSED', 'IDEM-REPLAY-RESPONSE', 'PAUSE-RESPONSE-EMPTY'],
    rules: replaying((reply) =>
      reply.customerMessage ? { ...reply, response: 'We will come back to you.' } : reply,
    ),
  }),
  'replays-run-out': fault({
    title: 'A reply that came as JSON can be replayed 45 times; after that its key is free again.',
    breaks: ['IDEM-REPLAY-AGAIN', 'IDEM-REPLAY-HEADER', 'IDEM-REPLAY-CONVERSATION'],
    rules: found((record) => (record?.streamed === false && record.replays >= 45 ? undefined : record)),
  }),
  'replay-charged': fault({
    title: 'A replay is charged like the original.',
    breaks: [
      'IDEM-REPLAY-FREE',
      'IDEM-STREAM-REPLAY-FREE',
      'IDEM-ABORT-CHARGE',
      'IDEM-RACE-CHARGE',
      'BILL-USAGE-AGREES',
    ],
    rules: () => ({ replayDebit: ({ used }) => used }),
  }),
  'streamed-replay-charged': fault({
    title: 'The replay of a streamed turn is charged again.',
    breaks: ['IDEM-STREAM-REPLAY-FREE', 'IDEM-ABORT-CHARGE', 'BILL-USAGE-AGREES'],
    rules: () => ({ replayDebit: ({ used }, { streamed }) => (streamed ? used : 0) }),
  }),
  'replay-lags': fault({
    title: 'A turn counts as in progress for a while after its answer.',
    breaks: [
      'IDEM-CONFLICT-CODE',
      'IDEM-REPLAY-STATUS',
      'IDEM-REPLAY-AT-ONCE',
      'IDEM-STREAM-REPLAY-STATUS',
      'IDEM-IN-FLIGHT-OVERLAP',
    ],
    chance: ['IDEM-UNCERTAIN-STAYS'],
    rules: () => ({ finishLagMs: 250 }),
  }),
  'streamed-replay-refused': fault({
    title: 'A turn is never marked as finished, and sending it again is refused as in progress.',
    breaks: [
      'IDEM-STREAM-REPLAY-STATUS',
      'IDEM-REPLAY-STATUS',
      'IDEM-REPLAY-AT-ONCE',
      'IDEM-IN-FLIGHT-OVERLAP',
      'RATE-LOWER',
    ],
    ...refuseWhere('REQUEST_IN_PROGRESS', ({ about }) => about.original !== undefined),
  }),
  'streamed-replay-shortened': fault({
    title: 'Of a streamed reply only 32 characters are kept for its replay.',
    breaks: ['IDEM-STREAM-REPLAY-RESPONSE'],
    ...onEvent('done', (event, { original }) =>
      original === 'stream' ? { ...event, response: memberText(event['response']).slice(0, 32) } : event,
    ),
  }),
  'streamed-replay-cut-at-tool': fault({
    title: 'Of a streamed reply for which a tool was used only what came before the tool is replayed.',
    breaks: ['IDEM-STREAM-REPLAY-RESPONSE'],
    ...replayedAs('tools', ''),
  }),
  'streamed-replay-cut-at-gate': fault({
    title: 'Of a streamed reply that a gate changed what was to be said before the gate is replayed.',
    breaks: ['IDEM-STREAM-REPLAY-RESPONSE'],
    ...replayedAs('gate', 'What I may not say: the'),
  }),
  'streamed-replay-in-new-conversation': fault({
    title: 'The replay of a streamed turn names a conversation of its own.',
    breaks: ['IDEM-STREAM-REPLAY-CONVERSATION'],
    ...onEvents((event, { original }, { random }) => [
      event.type === 'done' && original === 'stream' ? { ...event, conversation_id: random.uuid() } : event,
    ]),
  }),
  'streamed-replay-unmarked': fault({
    title: 'Only JSON replays carry the replay header.',
    breaks: ['IDEM-STREAM-REPLAY-HEADER'],
    reply: (reply, _call, { identifiers }) =>
      reply.kind === 'stream' && reply.about.replay
        ? { ...reply, headers: reply.headers.filter(([name]) => name !== identifiers.replayHeader) }
        : reply,
  }),
  'streamed-replay-with-two-dones': fault({
    title: 'The replay of a stream repeats its events, done included, and adds done.',
    breaks: [
      'IDEM-STREAM-REPLAY-ONE-DONE',
      'IDEM-STREAM-REPLAY-CLEAN',
      'SSE-ONE-TERMINAL',
      'SSE-NOTHING-AFTER',
    ],
    rules: doneTwice(({ streamed }) => streamed),
  }),
  'json-replayed-with-two-dones': fault({
    title: 'A turn first answered as JSON is replayed as a stream with two done events.',
    breaks: ['IDEM-OTHER-MODE-ONE-DONE', 'SSE-ONE-TERMINAL', 'SSE-NOTHING-AFTER'],
    rules: doneTwice(({ streamed }) => !streamed),
  }),
  'replay-with-other-buttons': fault({
    title: 'The buttons of a replayed presentation have other payloads.',
    breaks: ['IDEM-REPLAY-PRESENTATION'],
    rules: replaying((reply) => ({ ...reply, presentation: relabelled(reply.presentation) })),
  }),
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
} as const satisfies Record<string, Fault>
