/** Streams that go out in another spelling than usual: what is told of them is what is told of the usual one. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { beside } from '../assertions/step-result.ts'
import type { Stage, StreamSpelling } from '../execution/service.ts'
import { clientScenario, type Act, type ClientScenario } from '../client-scenario.ts'
import { givesStream, staysToTheEnd, streamIn } from '../assertions/reported-stream.ts'

/** Characters of one to four bytes in UTF-8, quotes, a line separator, and what looks like an event. */
export const everyToken = ['Zwölf é', ' 世界', ' 🙂 "ja"', ' \u2028\\', ' data: {"type":"done"}', '.']

export const saying = (tokens: readonly string[], more: { [member: string]: Json } = {}): readonly Json[] => [
  { match: {}, reply: { tokens, ...more } },
]

const usual = saying(everyToken)

export const streaming = (stage: Stage = {}): Act => ({
  task: { do: 'stream', message: 'Tell me everything.', idempotencyKey: 'stream-to-the-letter' },
  stage: { replies: usual, ...stage },
})

export const spelled = (as: StreamSpelling, stage: Stage = {}): Act =>
  streaming({ ...stage, networkFaults: [{ do: { is: 'spell', as } }] })

export interface Streams {
  usual: readonly Exchange[]
  odd: readonly Exchange[]
}

/** Who was asked to stream, and sent no request for a stream, is no subject here. */
export function besideUsual({ usual: twin }: Streams, judge: () => Judgement): Judgement {
  return beside(twin, () =>
    streamIn(twin) ? judge() : notApplicable('it asks for no stream where it was told to; see --can'),
  )
}

/** The usual stream is told of as it went out, and so is the odd one. */
export function givesBoth(acts: Streams, context: Context): Judgement {
  return besideUsual(acts, () =>
    given(givesStream(acts.usual, context, 'usual'), () => givesStream(acts.odd, context, 'odd')),
  )
}

/** Longer than any network takes, and no long time for an agent. */
export const silenceMs = 1_500

/** Who leaves before that did not wait: something that came was too much for it. */
const noWaitMs = 500

/** The same, in a silence: how long to wait for the next event is for the client to say. */
export function givesUnlessLeft(acts: Streams, context: Context): Judgement {
  return besideUsual(acts, () => {
    const stream = streamIn(acts.odd)
    const stayed = stream ? staysToTheEnd(stream, context, 'odd') : pass
    if (!stream || stayed.is !== 'broken') return givesBoth(acts, context)
    if (stream.endedAt - (stream.response?.at ?? 0) < noWaitMs) return { ...stayed, is: 'weak' }
    return observed('it did not wait a second and a half for the next event')
  })
}

type Judging = (acts: Streams, context: Context) => Judgement

/** A scenario of the usual stream and an odd one, judged alike under each of these clauses. */
export function oddStream(
  title: string,
  clauses: readonly ClauseId[],
  odd: Act,
  judge: Judging = givesBoth,
): ClientScenario {
  return clientScenario({
    title,
    acts: { usual: streaming(), odd },
    judge: Object.fromEntries(clauses.map((clause) => [clause, judge])),
  })
}
