/** What goes wrong only where requests meet, or only now and then: each of them alone is answered well. */
import { fingerprintOf, keyId } from '../chat/claim.ts'
import { quotedMessage } from '../chat/plan.ts'
import type { Call, StreamEvent } from '../edge/reply.ts'
import {
  memberText,
  onEvents,
  onJson,
  onRefusal,
  sentBody,
  turnOfCall,
  wantsStream,
} from '../modification/changes.ts'
import {
  type Meeting,
  afterRivals,
  lockedBy,
  meeting,
  messageText,
  rememberedBy,
  workMs,
} from '../modification/key-books.ts'
import { type Fault, type Modification, type TenantHooks, fault } from '../modification/modification.ts'
import type { ChatTenant } from '../rules/chat.ts'
import type { Rules } from '../rules/tenant-state.ts'
import type { KeyRecord, TurnReply } from '../tenant/keys.ts'
import type { TenantData } from '../tenant/tenant-data.ts'

const leaseMs = 150
/** So many duplicates of a turn are kept waiting in a list; the next one finds it full. */
const listed = 8

/** A turn as JSON, with its key in the body. */
function isPlain(call: Call): boolean {
  return !wantsStream(call) && sentBody(call)['idempotency_key'] !== undefined
}

/** The key that was claimed last, of each tenant. */
const newest = new WeakMap<ChatTenant, KeyRecord>()

function watchingClaims(rules: Rules): Partial<Rules> {
  return {
    book: (state, call) => {
      const book = rules.book(state, call)
      const claim = (record: KeyRecord): void => {
        newest.set(state, record)
        book.claim(record)
      }
      return { ...book, claim }
    },
  }
}

/** A later presentation has taken the place of the one in this reply. */
function isSuperseded({ presentation, conversation }: TurnReply, state: ChatTenant): boolean {
  const text = JSON.stringify(presentation)
  const own = [...state.offers].find(
    ([identity, offer]) => offer.conversation.id === conversation && text.includes(runOf(identity)),
  )
  return own !== undefined && own[1].presentation !== own[1].conversation.current
}

/** An identity is the JSON of run, node and payload. */
function runOf(identity: string): string {
  const [run] = JSON.parse(identity) as readonly unknown[]
  return JSON.stringify(run)
}

const tenMinutesMs = 600_000

/** The message that came last, by tenant. */
const latest = new WeakMap<TenantData, string>()
const echo = 'You said: '

const noting: NonNullable<Modification['rules']> = (was) => ({
  workMs: 20,
  turnOf(asked, state) {
    latest.set(state, quotedMessage(asked.request.message))
    return was.turnOf(asked, state)
  },
})

/** Tokens go to every stream that is open at the moment. */
function mixed(): TenantHooks {
  const open = new Set<StreamEvent[]>()
  return {
    async *events(events) {
      const others: StreamEvent[] = []
      open.add(others)
      try {
        for await (const event of events) {
          if (event.type === 'token') for (const one of open) if (one !== others) one.push(event)
          yield* others.splice(0)
          yield event
        }
      } finally {
        open.delete(others)
      }
    },
  }
}

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
  'bad-request-forgets-newest-key': fault({
    title: 'A request that is not valid makes the server forget the key that was used last.',
    breaks: ['IDEM-REPLAY-AGAIN', 'IDEM-REPLAY-CONVERSATION', 'IDEM-REPLAY-HEADER'],
    rules: watchingClaims,
    ...onRefusal(['INVALID_BODY'], (reply, _call, state) => {
      const record = newest.get(state)
      if (record?.state.is === 'completed') state.keys.release(record)
      return reply
    }),
  }),
  'conflict-forgets-replayed-key': fault({
    title: 'After a conflict a key is free again, if its reply had been replayed before.',
    breaks: [
      'IDEM-CONFLICT-UNCHANGED',
      'IDEM-CONFLICT-STATUS',
      'IDEM-CONFLICT-LENGTH',
      'IDEM-REPLAY-CONVERSATION',
      'IDEM-REPLAY-HEADER',
      'IDEM-REPLAY-STATUS',
    ],
    ...onRefusal(['IDEMPOTENCY_CONFLICT'], (reply, call, state) => {
      const asked = turnOfCall(call, state)
      const record = asked && state.keys.find(keyId(state, asked))
      if (record && record.replays > 0) state.keys.release(record)
      return reply
    }),
  }),
  'superseded-button-current-after-replay': fault({
    title: 'Once an earlier reply with buttons was replayed, superseded buttons can be pressed again.',
    breaks: ['FLOW-STALE-STATUS', 'FLOW-STALE-CODE'],
    rules: (rules, state) => {
      const revived = new Set<unknown>()
      let asked: unknown = null
      return {
        // Asked before all the others, and in one go with them.
        book: (...given) => {
          asked = sentBody(given[1])['conversation_id']
          return rules.book(...given)
        },
        replayReply: (original, ...given) => {
          if (original.presentation !== null && isSuperseded(original, state))
            revived.add(original.conversation)
          return rules.replayReply(original, ...given)
        },
        buttonState: (known) =>
          known === 'superseded' && revived.has(asked) ? 'current' : rules.buttonState(known),
      }
    },
  }),
  'replayed-empty-in-pause': fault({
    title: 'While replies are paused, a reply of before is replayed with an empty response.',
    breaks: ['IDEM-REPLAY-RESPONSE'],
    rules: (rules, state) => {
      let paused = false
      return {
        book: (...given) => {
          paused = turnOfCall(given[1], state)?.agent.paused ?? false
          return rules.book(...given)
        },
        replayReply: (original, ...given) => {
          const reply = rules.replayReply(original, ...given)
          return paused ? { ...reply, response: '' } : reply
        },
      }
    },
  }),
  'uncertain-key-freed': fault({
    title: 'A key whose outcome was uncertain is free again after ten minutes.',
    breaks: ['IDEM-UNCERTAIN-STAYS', 'IDEM-REPLAY-CONVERSATION'],
    rules: (was) => {
      const uncertain = new Set<string>()
      return {
        book: (state, call) => {
          const book = was.book(state, call)
          const find: typeof book.find = (id) => {
            const record = book.find(id)
            if (record?.state.is === 'uncertain') uncertain.add(id)
            const isOld = record && state.clock.now() - record.claimedAt > tenMinutesMs
            return isOld && uncertain.has(id) ? undefined : record
          }
          return { ...book, find }
        },
      }
    },
  }),
  'superseded-button-returns': fault({
    title: 'Ten minutes after a superseded button was refused it can be pressed.',
    breaks: ['FLOW-STALE-STATUS'],
    rules: (was, state) => {
      let since = Infinity
      return {
        buttonState(known) {
          if (known !== 'superseded') return was.buttonState(known)
          since = Math.min(since, state.clock.now())
          return state.clock.now() - since > tenMinutesMs ? 'current' : was.buttonState(known)
        },
      }
    },
  }),
  'headers-of-the-newest': fault({
    title: 'All webhooks of an agent carry the custom headers of the one made last.',
    breaks: ['DLV-CUSTOM-HEADERS'],
    rules: (was, { webhooks }) => ({
      deliveryHeaders: (delivery, ...rest) => {
        const { webhook } = delivery
        const newest = [...webhooks.values()].findLast(({ agent }) => agent === webhook.agent) ?? webhook
        return was.deliveryHeaders(
          { ...delivery, webhook: { ...webhook, customHeaders: newest.customHeaders } },
          ...rest,
        )
      },
    }),
  }),
  'streams-end-with-the-latest': fault({
    title: 'Streams that run at once all end with the reply to the message that came last.',
    breaks: ['SSE-DONE-RESPONSE', 'SSE-TOKENS-JOIN'],
    rules: noting,
    ...onEvents((event, { replay }, state) => {
      const isOwn = event.type === 'done' && memberText(event['response']).startsWith(echo)
      return [isOwn && replay !== true ? { ...event, response: echo + (latest.get(state) ?? '') } : event]
    }),
  }),
  'streams-mixed': fault({
    title: 'Of streams that run at once each also gets the tokens of the others.',
    breaks: ['SSE-TOKEN', 'SSE-TOKENS-JOIN'],
    rules: () => ({ workMs: 20 }),
    remember: mixed,
  }),
  'astral-as-question-marks': fault({
    title: 'In a reply that is not streamed each character beyond the basic plane is a question mark.',
    breaks: ['RES-RESPONSE-STRING'],
    ...onJson((body) => ({
      ...body,
      response: memberText(body['response']).replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?'),
    })),
  }),
  'replica-forgets': fault({
    title: 'Each replica remembers only the keys of the requests that came to it.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-CODE', 'IDEM-RACE-ONE-RUN'],
    replicas: 2,
    rules: rememberedBy(({ server }) => String(server)),
  }),
} as const satisfies Record<string, Fault>
