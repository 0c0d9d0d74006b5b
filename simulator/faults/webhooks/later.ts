/** What is right the first time and goes wrong later: at a third attempt, in another mode, in an unusual casing. */
import type { HeaderLine } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { charge, collected } from '../../modification/changes.ts'
import { onAttempt, withNamedHeader } from '../../modification/delivery-changes.ts'
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
  'retry-serialized-again': fault({
    title: 'A retry is written again from what the first attempt meant, under its signature.',
    breaks: ['SIGN-RETRY', 'SIGN-RAW', 'SIGN-VALUE'],
    ...onAttempt(
      ({ body }) => ({ body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()))) }),
      ({ attempt }) => attempt > 1,
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

const operations = {
  'finalize-without-scope': fault({
    title: 'Whether a key may upload is asked when a file is announced, and not when its bytes come.',
    breaks: ['UPL-SCOPE'],
    rules: (was) => ({
      callerOf: (call, state) => {
        const apiKey = was.callerOf(call, state)
        const open = /\/uploads\/.*\/finalize$/.test(call.path)
        return apiKey && open ? { ...apiKey, scopes: [...apiKey.scopes, 'knowledge.write'] } : apiKey
      },
    }),
  }),
  'ended-task-forgotten': fault({
    title: 'A task that was read three times after its end is not found any more.',
    breaks: ['TASK-READ'],
    rules: (was) => ({
      findTask: (id, apiKey, call, state) => {
        const task = was.findTask(id, apiKey, call, state)
        return task?.receipt && task.reads >= 3 ? null : task
      },
    }),
  }),
} as const satisfies Record<string, Fault>

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
