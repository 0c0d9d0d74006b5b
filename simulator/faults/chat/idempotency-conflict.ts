/** Used keys with another request: what counts as different, and what a conflict does. */
import { fingerprintOf, keyId } from '../../chat/claim.ts'
import {
  turnOfCall,
  sentBody,
  wantsStream,
  onRefusal,
  memberText,
  withStatus,
  charging,
  withCode,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { rememberedBy } from '../../modification/key-books.ts'

const comparing =
  (left: (message: string) => string): NonNullable<Fault['rules']> =>
  () => ({ fingerprint: ({ agent, request }) => `${agent.id} ${left(request.message)}` })

export const idempotencyConflictFaults = {
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
  'key-per-conversation': fault({
    title: 'A key belongs to its conversation: in another conversation it is another key.',
    breaks: ['IDEM-OTHER-CONVERSATION'],
    rules: rememberedBy((call) => memberText(sentBody(call)['conversation_id'])),
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
  'conflict-as-422': fault({
    title: 'A conflict is answered 422.',
    breaks: [
      'IDEM-CONFLICT-STATUS',
      'IDEM-CONFLICT-CODE',
      'IDEM-CONFLICT-STREAM',
      'IDEM-CONFLICT-LENGTH',
      'ERR-KNOWN-STATUS',
    ],
    ...withStatus(422, 'IDEMPOTENCY_CONFLICT'),
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
  'reply-of-another-agent': fault({
    title: 'A key used with one agent replays its reply for another.',
    breaks: ['IDEM-OTHER-AGENT'],
    rules: () => ({ fingerprint: ({ request }) => request.message }),
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
