/** Idempotency keys that are read, compared or refused wrongly. */
import { fingerprintOf, keyId } from '../chat/claim.ts'
import { type Call, headerValues } from '../edge/reply.ts'
import {
  charging,
  memberText,
  onRefusal,
  refuseWhere,
  sentBody,
  turnOfCall,
  wantsStream,
  withCode,
} from '../modification/changes.ts'
import { forgotten, found, rememberedBy } from '../modification/key-books.ts'
import { type Fault, fault } from '../modification/modification.ts'
import type { CarriedKeys, ChosenKey } from '../rules/chat.ts'
import type { KeyBook } from '../tenant/keys.ts'

const longestKey = 255
const has = (name: string) => (call: Call) => headerValues(call, name).length > 0
const hasOddCasing = (call: Call): boolean =>
  call.headers.some(
    ([name]) => name.toLowerCase() === 'idempotency-key' && !/^(I|i)dempotency-(K|k)ey$/.test(name),
  )

/** The server makes up a key for such requests. */
const madeUpFor =
  (concerned: (carried: CarriedKeys, chosen: ChosenKey) => boolean): NonNullable<Fault['rules']> =>
  (rules, state) => ({
    chooseKey: (carried) => {
      const chosen = rules.chooseKey(carried)
      return concerned(carried, chosen) ? { is: 'key', key: state.random.uuid() } : chosen
    },
  })

const comparing =
  (left: (message: string) => string): NonNullable<Fault['rules']> =>
  () => ({ fingerprint: ({ agent, request }) => `${agent.id} ${left(request.message)}` })

export const idempotencyKeyFaults = {
  'missing-key-made-up': fault({
    title: 'A request without a key gets one from the server, and runs.',
    breaks: ['IDEM-KEY-REQUIRED', 'IDEM-KEY-REQUIRED-CODE'],
    rules: madeUpFor((_carried, chosen) => chosen.is === 'missing'),
  }),
  'missing-key-without-code': fault({
    title: 'A request without a key is refused without a code.',
    breaks: ['IDEM-KEY-REQUIRED-CODE'],
    rules: withCode('IDEMPOTENCY_KEY_REQUIRED', null),
  }),
  'empty-key-made-up': fault({
    title: 'An empty key in the body counts as a new one.',
    breaks: ['IDEM-KEY-EMPTY'],
    rules: madeUpFor(({ body }) => body === ''),
  }),
  'empty-header-made-up': fault({
    title: 'An empty key in a header counts as a new one.',
    breaks: ['IDEM-KEY-EMPTY-HEADER'],
    rules: madeUpFor(({ headers }) => headers.includes('')),
  }),
  'short-key-refused': fault({
    title: 'A key of one character is refused.',
    breaks: ['IDEM-KEY-MIN'],
    rules: (rules) => ({ measure: (text) => (text.length === 1 ? 0 : rules.measure(text)) }),
  }),
  'key-one-too-long': fault({
    title: 'A key of one character more than the limit is accepted.',
    breaks: ['IDEM-KEY-OVER', 'IDEM-KEY-OVER-HEADER'],
    rules: (rules) => ({
      measure: (text) => rules.measure(text) - (rules.measure(text) === longestKey + 1 ? 1 : 0),
    }),
  }),
  'number-as-key-crashes': fault({
    title: 'A key that is no text ends in a server error.',
    breaks: ['IDEM-KEY-STRING'],
    ...onRefusal(['INVALID_BODY'], (reply, call) => {
      const key = sentBody(call)['idempotency_key']
      return key === undefined || typeof key === 'string' ? reply : { ...reply, status: 500 }
    }),
  }),
  'odd-header-key-crashes': fault({
    title: 'A key in a header with anything but letters, digits, - and _ in it ends in a server error.',
    breaks: ['IDEM-KEY-ODD'],
    ...refuseWhere('SERVER_ERROR', (_reply, call) =>
      /[^\w-]/.test(headerValues(call, 'idempotency-key')[0] ?? ''),
    ),
  }),
  'emoji-in-key-crashes': fault({
    title: 'A key in the body with an emoji in it does not fit its column, and ends in a server error.',
    breaks: ['IDEM-KEY-ODD'],
    ...refuseWhere('SERVER_ERROR', (_reply, call) =>
      /[\u{10000}-\u{10ffff}]/u.test(memberText(sentBody(call)['idempotency_key'])),
    ),
  }),
  'keys-ignored': fault({
    title: 'A key is asked for, and not remembered.',
    breaks: [
      'IDEM-CARRIER-BODY',
      'IDEM-CARRIER-HEADER',
      'IDEM-CARRIER-X-HEADER',
      'IDEM-CARRIER-ONE',
      'IDEM-REPLAY-HEADER',
      'IDEM-REPLAY-CONVERSATION',
      'IDEM-REPLAY-AT-ONCE',
      'IDEM-REPLAY-AGAIN',
      'IDEM-REPLAY-PAUSED',
      'IDEM-STREAM-REPLAY-HEADER',
      'IDEM-STREAM-REPLAY-CONVERSATION',
      'IDEM-CONFLICT-STATUS',
      'IDEM-CONFLICT-CODE',
      'IDEM-CONFLICT-LENGTH',
      'IDEM-CONFLICT-STREAM',
      'IDEM-CONFLICT-UNCHANGED',
      'IDEM-OTHER-MODE',
      'IDEM-OTHER-INTERACTION',
      'IDEM-IN-FLIGHT-STATUS',
      'IDEM-IN-FLIGHT-CODE',
      'IDEM-IN-FLIGHT-OTHER',
      'IDEM-IN-FLIGHT-JSON',
      'IDEM-POLL-ONE-RUN',
      'IDEM-RACE-ONE-RUN',
      'IDEM-RACE-STREAM',
      'IDEM-RACE-CARRIERS',
      'IDEM-RACE-CHARGE',
      'IDEM-ABORT-ONE-RUN',
      'IDEM-ABORT-CHARGE',
      'FLOW-PRESS-REPLAY',
    ],
    rules: found((record) => (record?.state.is === 'uncertain' ? record : undefined)),
  }),
  'odd-body-key-not-remembered': fault({
    title: 'A key in the body with anything but letters, digits, - and _ in it is not remembered.',
    breaks: ['IDEM-CARRIER-BODY', 'IDEM-REPLAY-HEADER'],
    rules: forgotten((call) => /[^\w-]/.test(memberText(sentBody(call)['idempotency_key']))),
  }),
  'header-key-remembered-for-waiting': fault({
    title: 'A key in Idempotency-Key is forgotten after its turn, unless a duplicate came while it ran.',
    breaks: ['IDEM-CARRIER-HEADER', 'IDEM-STREAM-REPLAY-HEADER', 'IDEM-REPLAY-HEADER'],
    rules: (rules) => ({
      book: (tenantState, call) => {
        const book = rules.book(tenantState, call)
        if (!has('idempotency-key')(call) || 'idempotency_key' in sentBody(call)) return book
        const settle: KeyBook['settle'] = (record, state) =>
          record.duplicates > 0 ? book.settle(record, state) : book.release(record)
        return { ...book, settle }
      },
    }),
  }),
  'x-header-key-not-remembered': fault({
    title: 'A key in X-Idempotency-Key is accepted, and not remembered.',
    breaks: [
      'IDEM-CARRIER-X-HEADER',
      'IDEM-CARRIER-ONE',
      'IDEM-RACE-CARRIERS',
      'IDEM-REPLAY-HEADER',
      'IDEM-UNCERTAIN-STATUS',
      'IDEM-UNCERTAIN-CODE',
      'IDEM-STREAM-REPLAY-HEADER',
    ],
    rules: forgotten(has('x-idempotency-key')),
  }),
  'headers-apart-from-body': fault({
    title: 'A key in a header and the same key in the body are two keys.',
    breaks: ['IDEM-CARRIER-ONE', 'IDEM-RACE-CARRIERS'],
    rules: rememberedBy((call) => ('idempotency_key' in sentBody(call) ? 'body' : 'header')),
  }),
  'two-keys-run-twice': fault({
    title: 'A request with two different keys runs each time it is sent.',
    breaks: ['IDEM-CARRIER-DISAGREE'],
    rules: madeUpFor((_carried, chosen) => chosen.is === 'disagree'),
  }),
  'header-name-case-sensitive': fault({
    title: 'The header of the key is only found in its usual casings.',
    breaks: ['IDEM-HEADER-CASE'],
    ...refuseWhere('IDEMPOTENCY_KEY_REQUIRED', (_reply, call) => hasOddCasing(call)),
  }),
  'same-key-twice-made-up': fault({
    title: 'A key carried twice counts as a new one each time, though both are the same.',
    breaks: ['IDEM-CARRIER-AGREE'],
    rules: madeUpFor(({ body, headers }) => body !== null && headers.includes(body)),
  }),
  'longest-key-in-header-refused': fault({
    title: 'A key of the greatest length is refused in a header.',
    breaks: ['IDEM-KEY-MAX'],
    ...refuseWhere(
      'INVALID_BODY',
      (_reply, call) => headerValues(call, 'idempotency-key')[0]?.length === longestKey,
    ),
  }),
  'other-message-replayed': fault({
    title: 'A used key replays its reply whatever the message.',
    breaks: ['IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-CODE', 'IDEM-CONFLICT-STREAM', 'IDEM-CONFLICT-LENGTH'],
    rules: () => ({ fingerprint: ({ agent }) => agent.id }),
  }),
  'messages-compared-by-length': fault({
    title: 'Messages of the same length are taken for the same message.',
    breaks: ['IDEM-CONFLICT-LENGTH', 'IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-NEAR'],
    rules: () => ({ fingerprint: ({ agent, request }) => `${agent.id} ${request.message.length}` }),
  }),
  'messages-compared-without-digits': fault({
    title: 'Messages that differ in digits are taken for the same message.',
    breaks: ['IDEM-CONFLICT-LENGTH'],
    rules: comparing((message) => message.replaceAll(/\d/g, '')),
  }),
  'key-per-interaction': fault({
    title: 'A key belongs to its interaction: with another interaction it is another key.',
    breaks: ['IDEM-OTHER-INTERACTION'],
    rules: rememberedBy((call) => JSON.stringify(sentBody(call)['interaction']) ?? ''),
  }),
  'key-per-mode': fault({
    title: 'Streamed turns and others remember their keys apart.',
    breaks: ['IDEM-OTHER-MODE', 'IDEM-CONFLICT-STREAM'],
    rules: rememberedBy((call) => String(wantsStream(call))),
  }),
  'key-per-body': fault({
    title: 'A key belongs to the bytes of the body: written differently it is another key.',
    breaks: [
      'IDEM-OTHER-SPELLING',
      'IDEM-OTHER-MEMBER',
      'IDEM-CARRIER-ONE',
      'IDEM-CONFLICT-CODE',
      'IDEM-CONFLICT-LENGTH',
      'IDEM-CONFLICT-STATUS',
      'IDEM-CONFLICT-STREAM',
      'IDEM-IN-FLIGHT-OTHER',
      'IDEM-OTHER-CONVERSATION',
      'IDEM-OTHER-INTERACTION',
      'IDEM-OTHER-MODE',
      'IDEM-RACE-CARRIERS',
    ],
    rules: rememberedBy((call) => Buffer.from(call.body).toString('latin1')),
  }),
  'conflict-under-another-code': fault({
    title: 'A conflict names a code of its own.',
    breaks: ['IDEM-CONFLICT-CODE', 'IDEM-CONFLICT-STREAM', 'IDEM-CONFLICT-LENGTH'],
    rules: withCode('IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_REUSED'),
  }),
  'conflict-takes-key-over': fault({
    title: 'A conflict writes its own message over that of the key.',
    breaks: ['IDEM-CONFLICT-UNCHANGED', 'IDEM-REPLAY-STATUS'],
    ...onRefusal(['IDEMPOTENCY_CONFLICT'], (reply, call, tenantState) => {
      const asked = turnOfCall(call, tenantState)
      const record = asked && tenantState.keys.find(keyId(tenantState, asked))
      if (record) {
        const { state } = record
        tenantState.keys.claim({ ...record, fingerprint: fingerprintOf(tenantState, asked), state })
      }
      return reply
    }),
  }),
  'conflict-charged': fault({
    title: 'A conflict is charged like a turn.',
    breaks: ['IDEM-CONFLICT-FREE', 'CRED-REFUSAL-FREE'],
    ...charging('IDEMPOTENCY_CONFLICT'),
  }),
  'keys-shared-by-accounts': fault({
    title: 'A key used by one account replays its reply to another.',
    breaks: ['IDEM-OTHER-ACCOUNT', 'IDEM-OTHER-AGENT'],
    rules: () => ({
      keyNamespace: () => 'everybody',
      fingerprint: ({ request }) => request.message,
    }),
  }),
} as const satisfies Record<string, Fault>
