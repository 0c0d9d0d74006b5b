/** Breaches of the older chat variant, and unusual ways to serve it. Each of these serves it. */
import { isObject, type JsonObject } from '../json.ts'
import { memberText, onEvents, withoutMembers, withLongerKeys } from '../modification/changes.ts'
import { fault, variant, type Fault, type TenantHooks, type Variant } from '../modification/modification.ts'

const interpretations = { 'GAP-OLDER-SERVED': 'yes' } as const
const older = (title: string, breaks: Fault['breaks'], hooks: TenantHooks | Pick<Fault, 'rules'>): Fault =>
  fault({ title, breaks, interpretations, ...hooks })

type Change = (body: JsonObject, status: number) => JsonObject | number

/** Changes the body, or the status, of answers of one route that succeeded, or of those of both that did not. */
const onReply = (which: 'older-chat' | 'older-conversation' | 'older-', change: Change): TenantHooks => ({
  reply: (reply) => {
    if (reply.kind !== 'json' || !isObject(reply.body)) return reply
    const { about, body, status } = reply
    const isOf = status === 200 ? about.operation === which : which === 'older-'
    const changed = isOf && about.operation.startsWith(which) ? change(body, status) : body
    return typeof changed === 'number' ? { ...reply, status: changed } : { ...reply, body: changed }
  },
})
const changing =
  (which: Parameters<typeof onReply>[0]) =>
  (title: string, breaks: Fault['breaks'], change: Change): Fault =>
    older(title, breaks, onReply(which, change))
const chat = changing('older-chat')
const reading = changing('older-conversation')
const refusing = changing('older-')

const messagesIn = ({ messages }: JsonObject): readonly JsonObject[] =>
  Array.isArray(messages) ? messages.filter(isObject) : []

export const olderFaults = {
  'older-message-created': chat('A message of the older variant is answered 201.', ['OLD-SEND'], () => 201),
  'older-message-optional': older(
    'The older variant takes a body without a message.',
    ['OLD-MESSAGE-REQUIRED'],
    { rules: () => ({ olderNeedsMessage: false }) },
  ),
  'older-reply-nameless': chat('A reply of the older variant has no message_id.', ['OLD-REPLY'], (body) =>
    withoutMembers(body, 'message_id'),
  ),
  'older-confidence-word': chat('The confidence of a reply is a word.', ['OLD-CONFIDENCE'], (body) => ({
    ...body,
    confidence: 'high',
  })),
  'older-sources-titles': chat(
    'The sources of a reply are titles and not objects.',
    ['OLD-SOURCES'],
    (body) => ({ ...body, sources: ['Handbook'] }),
  ),
  'older-stream-endless': older(
    'A stream of the older variant ends without done.',
    ['OLD-STREAM'],
    onEvents((event, { operation }) => (operation === 'older-chat' && event.type === 'done' ? [] : [event])),
  ),
  'older-created-at-moves-each-turn': reading(
    'A conversation was created when its newest message was sent.',
    ['OLD-CONVERSATION'],
    (body) => ({ ...body, created_at: memberText(messagesIn(body).at(-1)?.['timestamp']) }),
  ),
  'older-conversation-timeless': reading(
    'The messages of a conversation do not say when they were sent.',
    ['OLD-CONVERSATION-MESSAGES'],
    (body) => ({ ...body, messages: messagesIn(body).map((one) => withoutMembers(one, 'timestamp')) }),
  ),
  'older-keys-of-another-prefix': older('API keys of the older variant begin with live-ak_.', ['OLD-KEY'], {
    rules: withLongerKeys('ak_'),
  }),
  'older-key-for-all': older(
    'A key of the older variant is good for every agent of its account.',
    ['OLD-KEY', 'OLD-REFUSALS'],
    { rules: () => ({ olderKeyFits: () => true }) },
  ),
  'older-unknown-key-forbidden': refusing(
    'A key of the older variant that nobody has meets a 403.',
    ['OLD-REFUSALS'],
    (_body, status) => (status === 401 ? 403 : status),
  ),
  'older-error-flat': refusing('An error of the older variant is flat.', ['OLD-ERROR'], ({ error = null }) =>
    isObject(error) ? { ...error, error: error['code'] ?? '' } : {},
  ),
  'older-rate-silent': older('Answers of the older variant say nothing of its rate.', ['OLD-RATE-HEADERS'], {
    rules: () => ({ olderRateHeaders: () => [] }),
  }),
  'older-rate-unlimited': older('The older variant reports a limit and never enforces it.', ['OLD-RATE'], {
    rules: () => ({ olderExceeded: () => false }),
  }),
} as const satisfies Record<string, Fault>

export const olderVariants = {
  'older-created-coarser-later': variant({
    title: 'The creation time of a conversation has milliseconds at first, and later whole seconds.',
    allowed: 'The precision is not stated.',
    interpretations,
    ...onReply('older-conversation', (body) => {
      const part = messagesIn(body).length > 2 ? 'Z' : '.250Z'
      return { ...body, created_at: memberText(body['created_at']).replace(/(?:\.\d+)?Z$/, part) }
    }),
  }),
} as const satisfies Record<string, Variant>
