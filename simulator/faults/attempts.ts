/** Attempts of deliveries: when they are made, and what they carry. */
import type * as Crypto from 'node:crypto'
import type { HeaderLine } from '../edge/reply.ts'
import type { Json } from '../json.ts'
import { charge, collected, memberText } from '../modification/changes.ts'
import { type Fault, fault } from '../modification/modification.ts'
import { isRetry, withEnvelope, withNamedHeader, written } from '../modification/webhook-changes.ts'
import type { Rules, TenantState } from '../rules/tenant-state.ts'
import type { AttemptOutcome, AttemptRecord } from '../tenant/webhooks/delivery.ts'
import { signature } from '../webhooks/delivery/envelope.ts'

/** Attempts that end a delivery though they failed. */
const givenUpAfter =
  (isLast: (attempt: AttemptRecord) => boolean) =>
  (rules: Rules): Partial<Rules> => ({ retries: (attempt) => !isLast(attempt) && rules.retries(attempt) })
const givenUpWhere = (lost: AttemptOutcome) => givenUpAfter(({ outcome }) => outcome === lost)

function unmarked<R extends { readonly headers: readonly HeaderLine[] }>(
  reply: R,
  { identifiers }: TenantState,
): R {
  const isMark = ([name]: HeaderLine): boolean =>
    name.toLowerCase() === identifiers.replayHeader.toLowerCase()
  return { ...reply, headers: reply.headers.filter((header) => !isMark(header)) }
}

/** Changes the time; `at` is that of a plain envelope. */
const timestamp = (change: (at: string) => Json) =>
  withEnvelope((envelope) => ({ ...envelope, timestamp: change(memberText(envelope['timestamp'])) }))

const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto')

/** Where the value is wrong, it is wrong for text beyond ASCII and for later attempts too. */
const anyValue = ['SIGN-VALUE', 'SIGN-RAW', 'SIGN-RETRY'] as const

/** Another value of the header, prefix and all. */
const signing =
  (sign: (body: Uint8Array, secret: string) => string): NonNullable<Fault['rules']> =>
  () => ({ signature: sign })

const hmac = (hash: string, body: Uint8Array, key: Crypto.BinaryLike): Crypto.Hmac =>
  crypto().createHmac(hash, key).update(body)

const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const attemptFaults = {
  'first-attempt-by-a-timer': fault({
    title: 'The first attempt comes ten seconds after its event.',
    breaks: ['ATT-FIRST'],
    rules: () => ({ firstWaitMs: 10_000 }),
  }),
  'every-delivery-thrice': fault({
    title: 'A delivery is always tried three times, whatever the endpoint answers.',
    breaks: ['ATT-DELIVERED', 'ATT-DELIVERED-2XX', 'ATT-DELIVERED-LATE', 'LOG-RETRIES'],
    rules: () => ({ retries: () => true }),
  }),
  'client-errors-final': fault({
    title: 'A 4xx ends a delivery.',
    breaks: ['ATT-SECOND-STATUS'],
    rules: givenUpAfter(({ status }) => status !== null && status >= 400 && status < 500),
  }),
  'redirect-final': fault({
    title: 'A 3xx ends a delivery.',
    breaks: ['ATT-SECOND-REDIRECT'],
    rules: givenUpAfter(({ status }) => status !== null && status >= 300 && status < 400),
  }),
  'any-answer-final': fault({
    title: 'Any answer ends a delivery.',
    breaks: ['ATT-SECOND-STATUS', 'ATT-SECOND-REDIRECT'],
    rules: givenUpWhere('refused'),
  }),
  'unreachable-final': fault({
    title: 'An endpoint that nothing can be sent to, or that hangs up, ends a delivery.',
    breaks: ['ATT-SECOND-UNREACHABLE', 'ATT-SECOND-SILENT'],
    rules: givenUpWhere('unreachable'),
  }),
  'two-attempts': fault({
    title: 'A delivery is tried twice at most.',
    breaks: ['ATT-THIRD'],
    rules: () => ({ attemptsMost: 2 }),
  }),
  'four-attempts': fault({
    title: 'A delivery is tried a fourth time half a second after the third.',
    breaks: ['ATT-NO-FOURTH'],
    rules: (rules) => ({
      attemptsMost: 4,
      backoffMs: (number) => (number === 3 ? 500 : rules.backoffMs(number)),
    }),
  }),
  'answer-hardly-awaited': fault({
    title: 'An answer is waited for three seconds.',
    breaks: ['ATT-WAIT-LOWER'],
    rules: () => ({ answerWaitMs: 3_000 }),
  }),
  'answer-awaited-too-long': fault({
    title: 'An answer is waited for half a minute.',
    breaks: ['ATT-WAIT-UPPER'],
    rules: () => ({ answerWaitMs: 30_000 }),
  }),
  'answer-awaited-for-good': fault({
    title: 'An answer is waited for an hour.',
    breaks: ['ATT-WAIT-UPPER', 'ATT-SECOND-SILENT'],
    rules: () => ({ answerWaitMs: 3_600_000 }),
  }),
  'id-per-attempt': fault({
    title: 'Every attempt has an id of its own.',
    breaks: ['ATT-SAME-ID'],
    rules: (rules) => ({
      attemptId: (delivery, number) => `${rules.attemptId(delivery, number)}-${number}`,
    }),
  }),
  'tried-again-at-once': fault({
    title: 'A failed attempt is followed by the next one at once.',
    // Three attempts within a moment are over before an endpoint that is away for another moment is back.
    breaks: ['ATT-BACKOFF', 'ATT-SECOND-UNREACHABLE'],
    rules: () => ({ backoffMs: () => 0 }),
  }),
  'failure-logged-as-success': fault({
    title: 'The log shows a delivery as succeeded that was given up.',
    breaks: ['ATT-FAILED', 'LOG-SUCCESS'],
    rules: (rules) => ({ logEntry: (facts) => rules.logEntry({ ...facts, success: true }) }),
  }),
  'endpoint-never-paused': fault({
    title: 'An endpoint that keeps failing gets every delivery.',
    breaks: ['ATT-PAUSE'],
    rules: () => ({ endpointPause: { after: Number.POSITIVE_INFINITY, ms: 0 } }),
  }),
  'endpoint-paused-for-good': fault({
    title: 'An endpoint that was paused gets nothing ever after.',
    breaks: ['ATT-PAUSE-ENDS'],
    rules: (rules) => ({ endpointPause: { ...rules.endpointPause, ms: Number.POSITIVE_INFINITY } }),
  }),
  'pause-turns-off': fault({
    title: 'An endpoint that keeps failing turns its webhook off.',
    breaks: ['ATT-PAUSE-ACTIVE'],
    rules: () => ({ pauseTurnsOff: true }),
  }),
  'third-attempt-of-another-id': fault({
    title: 'The third attempt has an id of its own.',
    breaks: ['ATT-SAME-ID'],
    ...withNamedHeader(
      'deliveryIdHeader',
      (id) => `${id}3`,
      ({ attempt }) => attempt === 3,
    ),
  }),
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
  'late-tokens-swapped': fault({
    title: 'From the sixth token of a stream on, two that come one after the other change places.',
    breaks: ['SSE-TOKENS-JOIN'],
    async *events(events) {
      const all = await collected(events)
      const swap = all[5]?.type === 'token' && all[6]?.type === 'token' && all[5].token !== all[6].token
      yield* all.map((event, at) => (swap && (at === 5 || at === 6) ? (all[11 - at] ?? event) : event))
    },
  }),
  'body-twice-encoded': fault({
    title: 'The body is a JSON text that holds the envelope as JSON.',
    breaks: ['DLV-BODY'],
    rules: written((_envelope, plain) =>
      Buffer.from(JSON.stringify(Buffer.from(plain).toString('utf8')), 'utf8'),
    ),
  }),
  'sample-of-no-event': fault({
    title: 'A test is of an event of its own, test.ping.',
    breaks: ['DLV-EVENT-TYPE'],
    rules: () => ({ testEvent: () => 'test.ping' }),
  }),
  'time-without-zone': fault({
    title: 'A timestamp does not say of which zone it is.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => at.replace('Z', '')),
  }),
  'payload-as-text': fault({
    title: 'The payload is a text that holds JSON.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope((envelope) => ({ ...envelope, payload: JSON.stringify(envelope['payload']) })),
  }),
  'live-flag-beside-payload': fault({
    title: 'Every live delivery says beside its payload that it is no test.',
    breaks: ['DLV-TEST-FLAG'],
    rules: withEnvelope((envelope, { test }) => (test ? envelope : { ...envelope, isTest: false })),
  }),
  'retry-without-payload': fault({
    title: 'The payload of a retry is empty.',
    breaks: ['DLV-PAYLOAD'],
    interpretations: { 'GAP-ATTEMPT-BODY': 'fresh' },
    rules: (was) => {
      const made = new WeakSet<object>()
      return withEnvelope((envelope, occurrence) => {
        const isRetry = made.has(occurrence)
        made.add(occurrence)
        return isRetry ? { ...envelope, payload: {} } : envelope
      })(was)
    },
  }),
  'retries-unsigned': fault({
    title: 'Attempts after the first one are not signed.',
    breaks: ['SIGN-HEADER'],
    ...withNamedHeader('signatureHeader', () => null, isRetry),
  }),
  'signature-prefix-in-capitals': fault({
    title: 'The prefix of a signature is in capitals.',
    breaks: ['SIGN-PREFIX'],
    ...withNamedHeader('signatureHeader', (value) => value.replace('sha256=', 'SHA256=')),
  }),
  'signature-of-sha-512': fault({
    title: 'The digest is that of HMAC-SHA512.',
    breaks: ['SIGN-LENGTH', ...anyValue],
    rules: signing((body, secret) => `sha256=${hmac('sha512', body, secret).digest('hex')}`),
  }),
  'signature-in-base64': fault({
    title: 'The digest is written in base64.',
    breaks: ['SIGN-HEX', 'SIGN-LENGTH', ...anyValue],
    rules: signing((body, secret) => `sha256=${hmac('sha256', body, secret).digest('base64')}`),
  }),
  'signed-with-line-end': fault({
    title: 'A line feed is signed that is not sent.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.concat([body, Buffer.from('\n')]), secret)),
  }),
  'signed-in-ascii': fault({
    title: 'What is signed has escapes where the body has letters beyond ASCII.',
    breaks: [...anyValue],
    rules: signing((body, secret) => signature(Buffer.from(inAscii(Buffer.from(body).toString())), secret)),
  }),
  'one-secret-for-all': fault({
    title: 'All webhooks have the same secret.',
    breaks: ['SIGN-SECRET-OWN'],
    rules: (rules: Rules) => {
      let only: string | undefined
      return { newSecret: (random) => (only ??= rules.newSecret(random)) }
    },
  }),
} as const satisfies Record<string, Fault>
