/** The events of a stream: each of them, in their order, and what to do with those that nobody knows. */
import { all, inconclusive } from '../../scenario/expect.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { reportedIn } from '../assertions/step-result.ts'
import { clientScenario } from '../client-scenario.ts'
import {
  everyToken,
  ifUsualRead,
  oddStream,
  reportsBoth,
  replyTokens,
  encoded,
  streaming,
  type StreamSteps,
} from './stream-scenario.ts'
import { inCamelCase, memberOf } from '../assertions/reported-reply.ts'
import {
  ifStreamed,
  reportsEachEvent,
  reportsStream,
  readsToTheEnd,
  streamIn,
} from '../assertions/reported-stream.ts'

export const plain = clientScenario({
  title: 'a stream is given as it came',
  steps: { usual: streaming() },
  judge: {
    'LIB-STREAM': ({ usual }, context) => ifStreamed(usual, () => reportsStream(usual, context, 'usual')),
  },
})

const withTools = replyTokens(everyToken, {
  actions: [
    { actionName: 'find_order', success: true },
    { actionName: 'send_mail', success: false },
  ],
  gate: { decision: 'rewrite', reason: 'an address was taken out' },
})

export const tools = oddStream(
  'tools and gates come between tokens, in their order',
  ['LIB-STREAM'],
  streaming({ replies: withTools }),
)

export const eachEvent = clientScenario({
  title: 'the library gives each event as it came',
  clientKind: 'library',
  steps: { usual: streaming({ replies: withTools }) },
  judge: {
    'LIB-STREAM': ({ usual }, context) => reportsEachEvent(usual, context, 'usual'),
    'LIB-STREAM-CAMEL-CASE': ({ usual }, context) => {
      // The contract itself writes the members of the other events in camelCase.
      const stream = streamIn(usual)
      const done = reportedIn(context, 'usual', 'event').find(
        ({ event }) => memberOf(event, 'type') === 'done',
      )?.event
      if (!stream || !done)
        return inconclusive('the application reports no `done`: `touchstone {"saw":"event",…}`')
      return inCamelCase(done, stream)
    },
  },
})

/** Silence behind it shows on the wire whether the client stayed. */
const strangers = encoded({
  insert: [
    { behind: 0, event: { type: 'from_a_later_version', at: 'the start' } },
    { behind: 1, event: { type: 'mood_changed', mood: 'glad', since: { at: [1, 2, 3] } } },
    { behind: 2, event: { type: 'usage', token: 'not a token', done: true } },
    { behind: 3, event: { type: 'DONE' } },
  ],
  silence: { behind: 3, ms: 300 },
})

function staysAndGives(steps: StreamSteps, context: Context): Judgement {
  return ifUsualRead(steps, context, () => {
    const stream = streamIn(steps.odd)
    return stream
      ? all(readsToTheEnd(stream, context, 'odd'), reportsBoth(steps, context))
      : inconclusive('no turn got a stream')
  })
}

export const unknownTypes = oddStream(
  'events of types that nobody knows are no end, no error and no part of the reply',
  ['LIB-STREAM-UNKNOWN'],
  strangers,
  staysAndGives,
)

export const unknownMembers = oddStream(
  'members that nobody knows do no harm in `done`',
  ['LIB-UNKNOWN-MEMBERS'],
  streaming({ variants: ['diagnostic-members'] }),
)
