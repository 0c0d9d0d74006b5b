/** Replays that are marked wrongly, differ from the original, or are not replays at all. */
import type { JsonObject } from '../../json.ts'
import { onEvent, onEvents, memberText, refuseWhere } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { found } from '../../modification/key-books.ts'
import type { Rules, TenantState } from '../../rules/tenant-state.ts'
import type { KeyRecord } from '../../tenant/keys.ts'

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

export const idempotencyReplayFaults = {
  'replay-unmarked': fault({
    title: 'A replay carries no replay header.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-ABORT-ONE-RUN', 'IDEM-STREAM-REPLAY-HEADER'],
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
    breaks: ['IDEM-STREAM-REPLAY-HEADER', 'IDEM-ABORT-ONE-RUN'],
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
  'streamed-replay-with-error': fault({
    title: 'The replay of a stream begins with the error that it is a duplicate.',
    breaks: ['IDEM-STREAM-REPLAY-CLEAN'],
    ...onEvents((event, { original }) =>
      event.type === 'done' && original === 'stream'
        ? [{ type: 'error', error: 'duplicate' }, event]
        : [event],
    ),
  }),
  'replay-with-other-buttons': fault({
    title: 'The buttons of a replayed presentation have other payloads.',
    breaks: ['IDEM-REPLAY-PRESENTATION'],
    rules: replaying((reply) => ({ ...reply, presentation: relabelled(reply.presentation) })),
  }),
} as const satisfies Record<string, Fault>
