/** Streams that go out in another spelling than usual: what is told of them is what is told of the usual one. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { ifControlSucceeded } from '../assertions/step-result.ts'
import type { StreamEncoding } from '../../../spec/types/control.ts'
import type { ServiceSetup } from '../execution/service.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import { reportsStream, readsToTheEnd, streamIn } from '../assertions/reported-stream.ts'

/** Characters of one to four bytes in UTF-8, quotes, a line separator, and what looks like an event. */
export const everyToken = ['Zwölf é', ' 世界', ' 🙂 "ja"', ' \u2028\\', ' data: {"type":"done"}', '.']

export const replyTokens = (
  tokens: readonly string[],
  more: { [member: string]: Json } = {},
): readonly Json[] => [{ match: {}, reply: { tokens, ...more } }]

const usual = replyTokens(everyToken)

export const streaming = (stage: ServiceSetup = {}): ClientStep => ({
  task: { do: 'stream', message: 'Tell me everything.', idempotencyKey: 'stream-to-the-letter' },
  service: { replies: usual, ...stage },
})

export const encoded = (as: StreamEncoding, stage: ServiceSetup = {}): ClientStep =>
  streaming({ ...stage, networkFaults: [{ do: { is: 'encode', as } }] })

export interface StreamSteps {
  usual: readonly Exchange[]
  odd: readonly Exchange[]
}

/** Who was asked to stream, and sent no request for a stream, is no subject here. */
export function besideUsualStream({ usual: twin }: StreamSteps, judge: () => Judgement): Judgement {
  return ifControlSucceeded(twin, () =>
    streamIn(twin) ? judge() : notApplicable('it asks for no stream where it was told to; see --can'),
  )
}

/** The usual stream is told of as it went out, and so is the odd one. */
export function reportsBoth(acts: StreamSteps, context: Context): Judgement {
  return besideUsualStream(acts, () =>
    given(reportsStream(acts.usual, context, 'usual'), () => reportsStream(acts.odd, context, 'odd')),
  )
}

/** Longer than any network takes, and no long time for an agent. */
export const silenceMs = 1_500

/** Who leaves before that did not wait: something that came was too much for it. */
const noWaitMs = 500

/** The same, in a silence: how long to wait for the next event is for the client to say. */
export function reportsUnlessLeft(acts: StreamSteps, context: Context): Judgement {
  return besideUsualStream(acts, () => {
    const stream = streamIn(acts.odd)
    const stayed = stream ? readsToTheEnd(stream, context, 'odd') : pass
    if (!stream || stayed.is !== 'broken') return reportsBoth(acts, context)
    if (stream.endedAt - (stream.response?.at ?? 0) < noWaitMs) return { ...stayed, is: 'weak' }
    return observed('it did not wait a second and a half for the next event')
  })
}

type Judging = (acts: StreamSteps, context: Context) => Judgement

/** A scenario of the usual stream and an odd one, judged alike under each of these clauses. */
export function oddStream(
  title: string,
  clauses: readonly ClauseId[],
  odd: ClientStep,
  judge: Judging = reportsBoth,
): ClientScenario {
  return clientScenario({
    title,
    steps: { usual: streaming(), odd },
    judge: Object.fromEntries(clauses.map((clause) => [clause, judge])),
  })
}
