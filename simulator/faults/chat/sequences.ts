/** What goes wrong only after a few requests of different kinds, each of which alone is answered well. */
import type { ChatTenant } from '../../rules/chat.ts'
import { keyId } from '../../chat/claim.ts'
import type { TurnReply, KeyRecord } from '../../tenant/keys.ts'
import type { Rules } from '../../rules/tenant-state.ts'
import { turnOfCall, sentBody, onRefusal } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

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

export const sequenceFaults = {
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
    breaks: ['IDEM-CONFLICT-UNCHANGED', 'IDEM-REPLAY-CONVERSATION', 'IDEM-REPLAY-HEADER'],
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
} as const satisfies Record<string, Fault>
