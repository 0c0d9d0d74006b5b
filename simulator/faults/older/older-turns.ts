/** Breaches of the older chat variant that show in some of its turns alone. Each of these serves it. */
import type { JsonObject } from '../../json.ts'
import { memberText, withoutMembers } from '../../modification/changes.ts'
import type { Fault, TenantHooks } from '../../modification/modification.ts'
import { askedIn, olderFault, onOlderBody, onMessages, onOlder } from '../../modification/older-changes.ts'

const reply = {
  'older-no-sources-gives-null': olderFault({
    title: 'The sources of a reply without any are null.',
    breaks: ['OLD-SOURCES'],
    ...onOlderBody('older-chat', (body) => ({
      ...body,
      sources: sourcesIn(body).length > 0 ? sourcesIn(body) : null,
    })),
  }),
  'older-second-source-without-relevance': olderFault({
    title: 'Of the sources of a reply only the first has a relevance.',
    breaks: ['OLD-SOURCES'],
    ...onOlderBody('older-chat', (body) => {
      const [first, ...others] = sourcesIn(body)
      return first
        ? { ...body, sources: [first, ...others.map((other) => withoutMembers(other, 'relevance'))] }
        : body
    }),
  }),
  'older-continued-turn-confidence-string': olderFault({
    title: 'In a conversation that goes on the confidence is a text.',
    breaks: ['OLD-CONFIDENCE'],
    ...onOlderBody('older-chat', (body, call) =>
      askedIn(call)['conversation_id'] === undefined
        ? body
        : { ...body, confidence: memberText(body['confidence']) },
    ),
  }),
  'older-streamed-answer-lacks-rate-headers': olderFault({
    title: 'A streamed answer of the older variant says nothing of its rate.',
    breaks: ['OLD-RATE-HEADERS'],
    reply: (answer) =>
      answer.kind === 'stream' && answer.about.operation === 'older-chat'
        ? { ...answer, headers: answer.headers.filter(([name]) => !/^x-ratelimit-/i.test(name)) }
        : answer,
  }),
  'older-429-body-flat-text': olderFault({
    title: 'A 429 of the older variant is a flat text.',
    breaks: ['OLD-ERROR'],
    ...onOlder('refusals', (answer) =>
      answer.status === 429 ? { ...answer, body: { error: 'Too many requests.' } } : answer,
    ),
  }),
} as const satisfies Record<string, Fault>

const sourcesIn = ({ sources }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(sources) ? sources : []) as readonly JsonObject[]

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

const conversation = {
  'older-streamed-replies-not-listed': olderFault({
    title: 'A conversation lists no reply that was streamed.',
    breaks: ['OLD-CONVERSATION-MESSAGES'],
    remember: withoutStreamed,
  }),
  'older-created-at-moves-each-turn': olderFault({
    title: 'A conversation was created when its newest message was sent.',
    breaks: ['OLD-CONVERSATION'],
    ...onOlderBody('older-conversation', (body) => {
      const newest = ((body['messages'] ?? []) as readonly JsonObject[]).at(-1)?.['timestamp']
      return newest === undefined ? body : { ...body, created_at: newest }
    }),
  }),
  'older-long-content-cut-in-listing': olderFault({
    title: 'A conversation lists the first thousand characters of what was said.',
    breaks: ['OLD-CONVERSATION-MESSAGES'],
    ...onMessages((said) =>
      said.map((message) => ({ ...message, content: memberText(message['content']).slice(0, 1000) })),
    ),
  }),
} as const satisfies Record<string, Fault>

export const olderTurnFaults = { ...reply, ...conversation }
