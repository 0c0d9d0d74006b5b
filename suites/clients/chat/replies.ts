/** What becomes of a reply: it is given to the caller whole, whatever else the service says with it. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, given, inconclusive } from '../../scenario/expect.ts'
import { inside } from '../../assertions/pointer.ts'
import { canonical } from '../../assertions/reply.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import { ifControlSucceeded, sentTo, reportedIn } from '../assertions/step-result.ts'
import { anyReply, replays, routes, script } from '../execution/step.ts'
import type { ServiceSetup } from '../execution/task.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import {
  hasCompleteReply,
  failuresIn,
  howToReport,
  inCamelCase,
  reportsReply,
  replyMembers,
  ifReplyReported,
  type ReplyMembers,
  containsValue,
} from '../assertions/reported-reply.ts'

const asked = (service: ServiceSetup = {}): ClientStep => ({
  task: { do: 'chat', message: 'What can I do here?', idempotencyKey: 'reply-to-the-letter' },
  service,
})

/** The same turn in two steps: reports of the odd one are judged if the ordinary one was reported. */
function besideOrdinary(
  { ordinary, odd }: { ordinary: readonly Exchange[]; odd: readonly Exchange[] },
  context: Context,
  judge: () => Judgement = () => reportsReply(odd, context, 'odd'),
): Judgement {
  return ifReplyReported(ordinary, context, 'ordinary', () =>
    given(reportsReply(ordinary, context, 'ordinary'), judge),
  )
}

export const furtherMembers = clientScenario({
  title: 'diagnostic members of a reply do no harm',
  steps: { ordinary: asked(), odd: asked({ variants: ['diagnostic-members'] }) },
  judge: { 'LIB-UNKNOWN-MEMBERS': (steps, context) => besideOrdinary(steps, context) },
})

export const otherOrder = clientScenario({
  title: 'the order of members, blanks and escapes in a reply make no difference',
  steps: {
    ordinary: asked({ replies: [{ match: {}, reply: { text: 'Grüße, 世界 🙂' } }] }),
    odd: asked({
      replies: [{ match: {}, reply: { text: 'Grüße, 世界 🙂' } }],
      variants: ['members-reversed', 'indented-json', 'ascii-json'],
    }),
  },
  judge: {
    'LIB-NO-FALSE-REPLY': ({ ordinary }, context) =>
      ifReplyReported(ordinary, context, 'ordinary', () => reportsReply(ordinary, context, 'ordinary')),
    'LIB-UNKNOWN-MEMBERS': (steps, context) => besideOrdinary(steps, context),
  },
})

const onlyImages = [
  { match: {}, reply: { text: 'Have a look.', presentation: { images: ['https://example.com/a.png'] } } },
]

export const partOfPresentation = clientScenario({
  title: 'a presentation with some of its parts is a reply like any other',
  steps: { ordinary: asked(), odd: asked({ replies: onlyImages }) },
  judge: {
    'LIB-PRESENTATION': (steps, context) =>
      besideOrdinary(steps, context, () =>
        all(reportsReply(steps.odd, context, 'odd'), keepsPresentation(steps.odd, context, 'odd', false)),
      ),
  },
})

export const presentation = clientScenario({
  title: 'the library gives `presentation` under its name, as it came',
  clientKind: 'library',
  steps: { turn: asked({ agent: 'workflow' }) },
  judge: { 'LIB-PRESENTATION': ({ turn }, context) => keepsPresentation(turn, context, 'turn', true) },
})

/** `bound`: a report of the reply must contain it. */
function keepsPresentation(
  exchanges: readonly Exchange[],
  context: Context,
  step: string,
  bound: boolean,
): Judgement {
  const turn = sentTo(exchanges, 'chat').findLast(hasCompleteReply)
  const reported = reportedIn(context, step, 'reply').at(-1)?.reply
  if (!turn || !reported) return inconclusive(howToReport)
  const [came, said] = [replyMembers(turn)['presentation'], reported['presentation']]
  if (said === undefined && !bound) return reportsReply(exchanges, context, step)
  const got = excerpt(said === undefined ? 'none' : canonical(said))
  const isKept = bound
    ? canonical(said) === canonical(came)
    : textsIn(came).every((text) => said !== undefined && containsValue(said, text))
  return check(isKept, excerpt(canonical(came)), got, turn)
}

/** A client has types of its own for the parts, with members that did not come and names in another case. */
const textsIn = (value: Json | undefined): readonly string[] =>
  [...inside(value ?? null)].map(({ value: one }) => one).filter((one) => typeof one === 'string')

export const camelCase = clientScenario({
  title: 'the library gives the members of a reply in camelCase',
  clientKind: 'library',
  steps: { turn: asked() },
  judge: { 'LIB-CAMEL-CASE': ({ turn }, context) => reportedInCamelCase(turn, context, 'turn') },
})

export const stored = clientScenario({
  title: 'the library gives a message that was stored as a reply without a text',
  clientKind: 'library',
  steps: { turn: asked(), paused: asked({ preparation: 'paused' }) },
  judge: {
    'LIB-CAMEL-CASE': ({ turn, paused }, context) =>
      ifControlSucceeded(turn, () =>
        all(reportsReply(paused, context, 'paused'), reportedInCamelCase(paused, context, 'paused')),
      ),
  },
})

/** What is nought is there, and what is empty is no reason to leave the rest out. */
const bare: Json = {
  response: '',
  conversation_id: '5f0c9a4e-8f4f-4a58-9d0c-3a1b7f1c2d3e',
  credits_used: 0,
  credits_remaining: 0,
  presentation: { version: 1, images: ['https://example.com/a.png'] },
}

export const nothingLeft = clientScenario({
  title: 'the library gives credits of nought, and a presentation without a text',
  clientKind: 'library',
  steps: { turn: asked(), bare: asked({ networkFaults: script(routes.chat, [bare]) }) },
  judge: {
    'LIB-CAMEL-CASE': ({ turn, bare: sent }, context) =>
      ifControlSucceeded(turn, () => reportedInCamelCase(sent, context, 'bare')),
    'LIB-PRESENTATION': ({ turn, bare: sent }, context) =>
      ifControlSucceeded(turn, () => keepsPresentation(sent, context, 'bare', true)),
  },
})

function reportedInCamelCase(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const turn = sentTo(exchanges, 'chat').findLast(hasCompleteReply)
  if (!turn) return inconclusive('no turn got a complete reply')
  const reported: ReplyMembers | undefined = reportedIn(context, step, 'reply').at(-1)?.reply
  const [failure] = failuresIn(context, step)
  if (!reported && failure) return fail('the reply of the service', excerpt(JSON.stringify(failure)), turn)
  return reported ? inCamelCase(reported, turn) : inconclusive(howToReport)
}

export const replayed = clientScenario({
  title: 'a replayed answer is a reply',
  steps: {
    ordinary: asked(),
    odd: asked({
      networkFaults: [replays('application/json', JSON.stringify(anyReply))],
    }),
  },
  judge: { 'LIB-CHAT': (steps, context) => besideOrdinary(steps, context) },
})
