/** Breaches of the older chat variant, and unusual ways to serve it. Each of these serves it. */
import { isObject, type JsonObject } from '../json.ts'
import { memberText, onEvents, withoutMembers } from '../modification/changes.ts'
import { fault, variant, type Fault, type TenantHooks, type Variant } from '../modification/modification.ts'
import { withLongerKeys } from '../modification/rule-changes.ts'
import type { Call } from '../server/call.ts'
import type { JsonReply } from '../server/reply.ts'

const interpretations = { 'GAP-OLDER-SERVED': 'yes' } as const

const older = (
  title: string,
  breaks: Fault['breaks'],
  hooks: Omit<Fault, 'kind' | 'title' | 'breaks' | 'interpretations'>,
): Fault => fault({ title, breaks, interpretations, ...hooks })

/** Changes answers of one route that succeeded, or those of both that did not. */
const onReply = (
  which: 'older-chat' | 'older-conversation' | 'refusals',
  change: (reply: JsonReply, call: Call) => JsonReply,
): TenantHooks => ({
  reply: (reply, call) => {
    const { operation } = reply.about
    if (reply.kind !== 'json' || !operation.startsWith('older-')) return reply
    const concerns = which === 'refusals' ? reply.status >= 400 : operation === which && reply.status === 200
    return concerns ? change(reply, call) : reply
  },
})

const onBody = (
  which: Parameters<typeof onReply>[0],
  change: (body: JsonObject, call: Call) => JsonObject,
): TenantHooks =>
  onReply(which, (reply, call) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, call) } : reply,
  )

const listIn = (body: JsonObject, name: string): readonly JsonObject[] => {
  const list = body[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Changes what a conversation lists when it is read. */
const onMessages = (change: (said: readonly JsonObject[]) => JsonObject[]): TenantHooks =>
  onBody('older-conversation', (body) => ({ ...body, messages: change(listIn(body, 'messages')) }))

/** The body of a request that was accepted. */
const askedIn = ({ body }: Call): JsonObject => JSON.parse(Buffer.from(body).toString('utf8')) as JsonObject

/** What was asked for as a stream is kept in mind by its words. */
function withoutStreamed(): TenantHooks {
  const streamed = new Set<string>()
  const listing = onMessages((said) =>
    said.filter(({ role }, i) => role !== 'assistant' || !streamed.has(memberText(said[i - 1]?.['content']))),
  )
  return {
    reply: (answer, call, state) => {
      if (answer.kind === 'stream' && answer.about.operation === 'older-chat')
        streamed.add(memberText(askedIn(call)['message']))
      return listing.reply?.(answer, call, state) ?? answer
    },
  }
}

export const olderFaults = {
  'older-message-created': older(
    'A message of the older variant is answered 201.',
    ['OLD-SEND'],
    onReply('older-chat', (answer) => ({ ...answer, status: 201 })),
  ),
  'older-message-optional': older(
    'The older variant takes a body without a message.',
    ['OLD-MESSAGE-REQUIRED'],
    {
      rules: () => ({ olderNeedsMessage: false }),
    },
  ),
  'older-reply-nameless': older(
    'A reply of the older variant has no message_id.',
    ['OLD-REPLY'],
    onBody('older-chat', (body) => withoutMembers(body, 'message_id')),
  ),
  'older-confidence-word': older(
    'The confidence of a reply is a word.',
    ['OLD-CONFIDENCE'],
    onBody('older-chat', (body) => ({ ...body, confidence: 'high' })),
  ),
  'older-sources-titles': older(
    'The sources of a reply are titles and not objects.',
    ['OLD-SOURCES'],
    onBody('older-chat', (body) => ({ ...body, sources: ['Handbook'] })),
  ),
  'older-stream-tokens': older(
    'A stream of the older variant sends tokens and no texts.',
    ['OLD-STREAM'],
    onEvents((event) => [event.type === 'text' ? { ...event, type: 'token' } : event]),
  ),
  'older-stream-endless': older(
    'A stream of the older variant ends without done.',
    ['OLD-STREAM'],
    onEvents((event, { operation }) => (operation === 'older-chat' && event.type === 'done' ? [] : [event])),
  ),
  'older-conversation-agentless': older(
    'A conversation does not say whose it is.',
    ['OLD-CONVERSATION'],
    onBody('older-conversation', (body) => withoutMembers(body, 'agent_id')),
  ),
  'older-conversation-timeless': older(
    'The messages of a conversation do not say when they were sent.',
    ['OLD-CONVERSATION-MESSAGES'],
    onMessages((said) => said.map((message) => withoutMembers(message, 'timestamp'))),
  ),
  'older-keys-of-another-prefix': older('API keys of the older variant begin with live-ak_.', ['OLD-KEY'], {
    rules: withLongerKeys('ak_'),
  }),
  'older-key-for-all': older(
    'A key of the older variant is good for every agent of its account.',
    ['OLD-KEY', 'OLD-REFUSALS'],
    { rules: () => ({ olderKeyFits: () => true }) },
  ),
  'older-unknown-key-forbidden': older(
    'A key of the older variant that nobody has meets a 403.',
    ['OLD-REFUSALS'],
    onReply('refusals', (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer)),
  ),
  'older-error-flat': older(
    'An error of the older variant is flat.',
    ['OLD-ERROR'],
    onBody('refusals', ({ error = null }) =>
      isObject(error) ? { ...error, error: error['code'] ?? '' } : {},
    ),
  ),
  'older-rate-silent': older('Answers of the older variant say nothing of its rate.', ['OLD-RATE-HEADERS'], {
    rules: () => ({ olderRateHeaders: () => [] }),
  }),
  'older-reset-as-seconds-left': older(
    'X-RateLimit-Reset counts the seconds from now.',
    ['OLD-RATE-HEADERS'],
    {
      rules: (rules) => ({
        olderRateHeaders: (state) => rules.olderRateHeaders({ ...state, resetAt: state.resetAt - state.now }),
      }),
    },
  ),
  'older-rate-unlimited': older('The older variant reports a limit and never enforces it.', ['OLD-RATE'], {
    rules: () => ({ olderExceeded: () => false }),
  }),
  'older-no-sources-gives-null': older(
    'The sources of a reply without any are null.',
    ['OLD-SOURCES'],
    onBody('older-chat', (body) => (listIn(body, 'sources').length > 0 ? body : { ...body, sources: null })),
  ),
  'older-second-source-without-relevance': older(
    'Of the sources of a reply only the first has a relevance.',
    ['OLD-SOURCES'],
    onBody('older-chat', (body) => {
      const sources = listIn(body, 'sources')
      return {
        ...body,
        sources: sources.map((one, at) => (at === 0 ? one : withoutMembers(one, 'relevance'))),
      }
    }),
  ),
  'older-continued-turn-confidence-string': older(
    'In a conversation that goes on the confidence is a text.',
    ['OLD-CONFIDENCE'],
    onBody('older-chat', (body, call) =>
      askedIn(call)['conversation_id'] === undefined
        ? body
        : { ...body, confidence: memberText(body['confidence']) },
    ),
  ),
  'older-streamed-answer-lacks-rate-headers': older(
    'A streamed answer of the older variant says nothing of its rate.',
    ['OLD-RATE-HEADERS'],
    {
      reply: (answer) =>
        answer.kind === 'stream' && answer.about.operation === 'older-chat'
          ? { ...answer, headers: answer.headers.filter(([name]) => !/^x-ratelimit-/i.test(name)) }
          : answer,
    },
  ),
  'older-429-body-flat-text': older(
    'A 429 of the older variant is a flat text.',
    ['OLD-ERROR'],
    onReply('refusals', (answer) =>
      answer.status === 429 ? { ...answer, body: { error: 'Too many requests.' } } : answer,
    ),
  ),
  'older-streamed-replies-not-listed': older(
    'A conversation lists no reply that was streamed.',
    ['OLD-CONVERSATION-MESSAGES'],
    { remember: withoutStreamed },
  ),
  'older-created-at-moves-each-turn': older(
    'A conversation was created when its newest message was sent.',
    ['OLD-CONVERSATION'],
    onBody('older-conversation', (body) => {
      const newest = listIn(body, 'messages').at(-1)?.['timestamp']
      return newest === undefined ? body : { ...body, created_at: newest }
    }),
  ),
  'older-long-content-cut-in-listing': older(
    'A conversation lists the first thousand characters of what was said.',
    ['OLD-CONVERSATION-MESSAGES'],
    onMessages((said) =>
      said.map((message) => ({ ...message, content: memberText(message['content']).slice(0, 1000) })),
    ),
  ),
} as const satisfies Record<string, Fault>

export const olderVariants = {
  'older-long-in-parts': variant({
    title: 'A message of more than a thousand characters is listed in parts.',
    allowed: 'That a message is listed as one is not stated.',
    interpretations,
    ...onMessages((said) =>
      said.flatMap((message) =>
        (memberText(message['content']).match(/[^]{1,1000}/g) ?? ['']).map((content) => ({
          ...message,
          content,
        })),
      ),
    ),
  }),
  'older-created-coarser-later': variant({
    title: 'The creation time of a conversation has milliseconds at first, and later whole seconds.',
    allowed: 'The precision is not stated.',
    interpretations,
    ...onBody('older-conversation', (body) => {
      const part = listIn(body, 'messages').length > 2 ? 'Z' : '.250Z'
      return { ...body, created_at: memberText(body['created_at']).replace(/(?:\.\d+)?Z$/, part) }
    }),
  }),
} as const satisfies Record<string, Variant>
