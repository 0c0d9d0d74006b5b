/** Responses that are formatted, timed or extended in an unusual way. */
import { isObject, type Json } from '../json.ts'
import type { HeaderLine, Reply } from '../edge/reply.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { toCredits } from '../tenant/conversations.ts'
import { charge, onRefusal, onReply, memberText } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'

const diagnostics = {
  model: 'gpt-quiet-2',
  timing: { queued_ms: 0.25, total_ms: 12.5 },
  warnings: [],
  request_id: null,
} as const satisfies Json

const ofProxy: readonly HeaderLine[] = [
  ['Set-Cookie', 'lb=1; Path=/; HttpOnly'],
  ['Via', '1.1 proxy'],
  ['X-Request-Id', 'b7c1'],
]

/** A first answer with the replay header, which says something else than true. */
export const denyingReplay = (reply: Reply, { identifiers }: TenantState, denial: () => string): Reply =>
  reply.kind === 'drop' || reply.status !== 200 || reply.about.replay
    ? reply
    : { ...reply, headers: [...reply.headers, [identifiers.replayHeader, denial()]] }

export const answerVariants = {
  'diagnostic-members': variant({
    title: 'Replies carry diagnostic members, in JSON and in done.',
    allowed: 'Diagnostic fields may appear.',
    wire: { extraMembers: diagnostics },
  }),
  'members-reversed': variant({
    title: 'The members of every JSON object come in reverse order.',
    allowed: 'JSON objects are unordered.',
    wire: { memberOrder: 'reversed' },
  }),
  'members-sorted': variant({
    title: 'The members of every JSON object are sorted, type of an event among the last.',
    allowed: 'JSON objects are unordered.',
    wire: { memberOrder: 'sorted' },
  }),
  'indented-json': variant({
    title: 'JSON bodies are indented.',
    allowed: 'JSON allows blanks and line ends between its tokens.',
    wire: { indent: 2 },
  }),
  'ascii-json': variant({
    title: 'Every character beyond ASCII is written as an escape, in bodies and events.',
    allowed: 'JSON strings are equal however their characters are escaped.',
    wire: { asciiOnly: true },
  }),
  'bare-json-type': variant({
    title: 'JSON is plain application/json, without a charset.',
    allowed: 'JSON is UTF-8; its media type has no charset parameter.',
    wire: { jsonContentType: 'application/json' },
  }),
  'vendor-json-type': variant({
    title: 'JSON comes as application/vnd.example+json.',
    allowed: 'That a body is JSON is stated, its media type is not; the suffix says so.',
    wire: { jsonContentType: 'application/vnd.example+json' },
  }),
  'json-without-type': variant({
    title: 'JSON comes without a content type.',
    allowed: 'That a body is JSON is stated; HTTP advises to name its media type.',
    warns: ['RES-JSON', 'ERR-JSON'],
    wire: { jsonContentType: null },
  }),
  'lower-case-headers': variant({
    title: 'Header names are in lower case.',
    allowed: 'HTTP compares header names without case.',
    wire: { headerName: (name) => name.toLowerCase() },
  }),
  'upper-case-headers': variant({
    title: 'Header names are in capitals.',
    allowed: 'HTTP compares header names without case.',
    wire: { headerName: (name) => name.toUpperCase() },
  }),
  'connection-closed': variant({
    title: 'The connection is closed after every JSON answer.',
    allowed: 'HTTP lets a server close a connection after any answer.',
    reply: (reply) => (reply.kind === 'json' ? { ...reply, close: true } : reply),
  }),
  'connections-lost': variant({
    title: 'One answer of chat in seven is lost with its connection, after the turn has run.',
    allowed: 'A connection may break at any time; the same request again is answered from the record.',
    remember: () => {
      let answers = 0
      return {
        reply: (reply) =>
          reply.about.operation === 'chat' && ++answers % 7 === 0
            ? { kind: 'drop', about: reply.about }
            : reply,
      }
    },
  }),
  'further-headers': variant({
    title: 'Answers carry cookies, a Retry-After and headers of a proxy.',
    allowed: 'Headers beside those that are shown are not ruled out.',
    reply: (reply) => (reply.kind === 'drop' ? reply : { ...reply, headers: [...reply.headers, ...ofProxy] }),
  }),
  'fresh-denies-replay': variant({
    title: 'A first answer carries the replay header with the value false.',
    allowed: 'Only the value true marks a replay.',
    reply: (reply, _call, state) => denyingReplay(reply, state, () => 'false'),
  }),
  'slow-turns': variant({
    title: 'Every turn takes 50 ms.',
    allowed: 'How long a turn takes is not stated.',
    rules: () => ({ workMs: 50 }),
  }),
  'conversations-in-capitals': variant({
    title: 'Conversation ids are in capitals.',
    allowed: 'The digits of a uuid are compared without case.',
    ...onReply((fields) => ({
      ...fields,
      conversation_id: memberText(fields['conversation_id']).toUpperCase(),
    })),
  }),
  'credits-in-thousandths': variant({
    title: 'A turn costs a thousandth of a credit.',
    allowed: 'What a turn costs is not shown, and credits are numbers.',
    rules: () => ({ cost: () => 1 }),
  }),
  'free-turns': variant({
    title: 'A turn costs nothing while credits are left.',
    allowed: 'What a turn costs is not shown.',
    rules: () => ({ cost: () => 0, covers: (available) => available > 0, shortage: () => ({}) }),
  }),
  'continued-turns-free': variant({
    title: 'Only the first turn of a conversation costs credits.',
    allowed: 'What a turn costs is not shown.',
    rules: (rules) => ({
      cost: (bill) => (bill.asked.request.conversationId === null ? rules.cost(bill) : 0),
    }),
  }),
  'filled-up-meanwhile': variant({
    title: 'An account that has a thousand credits gets five hundred more at one answer in nine.',
    allowed: 'Which credits are granted or bought meanwhile is not shown.',
    remember: () => {
      let answers = 0
      return {
        reply: (reply, _call, state) => {
          const { account = '' } = reply.about
          const balance = state.accounts.get(account)?.balance ?? 0
          if (balance >= toCredits(1_000) && ++answers % 9 === 0) charge(reply.about, state, -500)
          return reply
        },
      }
    },
  }),
  'shortage-remembered': variant({
    title: 'For five seconds after a shortage no turn is tried, whatever was paid meanwhile.',
    allowed: 'How soon credits that were added count is not stated.',
    rules: (rules, state) => {
      let until = 0
      return {
        covers: (available, cost) => {
          const now = state.clock.now()
          if (now < until) return false
          const isCovered = rules.covers(available, cost)
          if (!isCovered) until = now + 5_000
          return isCovered
        },
      }
    },
  }),
  'shortage-half-known': variant({
    title: 'A 402 says what is left and not what is required.',
    allowed: 'Both amounts come when known.',
    rules: (rules) => ({
      shortage: (required, remaining) => {
        const { credits_remaining = 0 } = rules.shortage(required, remaining)
        return { credits_remaining }
      },
    }),
  }),
  'retry-in-fractions': variant({
    title: 'retry_after_seconds has milliseconds.',
    allowed: 'That it is a number is implied, that it is a whole one is not.',
    rules: (rules) => ({
      rateBody: (state) => ({ ...rules.rateBody(state), retry_after_seconds: state.retryAfterMs / 1000 }),
    }),
  }),
  'talkative-errors': variant({
    title: 'Errors carry details, a link and a list beside their text.',
    allowed: 'A flat error has a text `error`; further members are not ruled out.',
    ...onRefusal([], (reply) => {
      const more = { details: [{ field: null }], docs: 'https://example.com/errors' }
      const { body, status } = reply
      return isObject(body) ? { ...reply, body: { ...body, ...more, status_code: status } } : reply
    }),
  }),
} as const satisfies Record<string, Variant>
