/** What is right the first time and goes wrong later: at a third attempt, in another mode, in an unusual casing. */
import type { HeaderLine } from '../../edge/reply.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { charge, collected } from '../../modification/changes.ts'
import { withNamedHeader } from '../../modification/webhook-changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

const attempts = {
  'third-attempt-of-another-id': fault({
    title: 'The third attempt has an id of its own.',
    breaks: ['ATT-SAME-ID'],
    ...withNamedHeader(
      'deliveryIdHeader',
      (id) => `${id}3`,
      ({ attempt }) => attempt === 3,
    ),
  }),
} as const satisfies Record<string, Fault>

function unmarked<R extends { readonly headers: readonly HeaderLine[] }>(
  reply: R,
  { identifiers }: TenantState,
): R {
  const isMark = ([name]: HeaderLine): boolean =>
    name.toLowerCase() === identifiers.replayHeader.toLowerCase()
  return { ...reply, headers: reply.headers.filter((header) => !isMark(header)) }
}

const replays = {
  'replay-in-other-mode-charged': fault({
    title: 'A turn first answered as JSON is charged again when it is replayed as a stream.',
    breaks: ['IDEM-STREAM-REPLAY-FREE'],
    reply: (reply, _call, state) => {
      if (reply.kind === 'stream' && reply.about.original === 'json') charge(reply.about, state)
      return reply
    },
  }),
  'third-replay-unmarked': fault({
    title: 'From the third replay of a key on, the replay header is left out.',
    breaks: ['IDEM-REPLAY-HEADER'],
    reply: (reply, _call, state) =>
      reply.kind === 'json' && reply.about.replay && (reply.about.replays ?? 0) >= 2
        ? unmarked(reply, state)
        : reply,
  }),
  'replay-read-as-latin-1': fault({
    title: 'The text of a replay was kept as UTF-8 and is read as Latin-1.',
    breaks: ['IDEM-REPLAY-RESPONSE'],
    chance: ['IDEM-STREAM-REPLAY-RESPONSE'],
    rules: (was) => ({
      replayReply: (original, left, record) => {
        const reply = was.replayReply(original, left, record)
        return { ...reply, response: Buffer.from(reply.response).toString('latin1') }
      },
    }),
  }),
} as const satisfies Record<string, Fault>

const operations = {} as const satisfies Record<string, Fault>

const streams = {
  'late-tokens-swapped': fault({
    title: 'From the sixth token of a stream on, two that come one after the other change places.',
    breaks: ['SSE-TOKENS-JOIN'],
    async *events(events) {
      const all = await collected(events)
      const swap = all[5]?.type === 'token' && all[6]?.type === 'token' && all[5].token !== all[6].token
      yield* all.map((event, at) => (swap && (at === 5 || at === 6) ? (all[11 - at] ?? event) : event))
    },
  }),
} as const satisfies Record<string, Fault>

export const laterFaults = { ...attempts, ...replays, ...operations, ...streams }
