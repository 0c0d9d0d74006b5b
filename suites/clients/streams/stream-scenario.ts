/** Streams in an unusual encoding: the reports must be those of the usual one. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { given, need, observed, pass } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import type { StreamEncoding } from '../../../spec/types/control.ts'
import { unlimited } from '../execution/step.ts'
import type { ServiceSetup } from '../execution/task.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import { ifStreamed, reportsStream, readsToTheEnd, streamsIn } from '../assertions/reported-stream.ts'

/** Characters of one to four bytes in UTF-8, quotes, a backslash, and what looks like an event. */
export const everyToken = ['Zwölf é', ' 世界', ' 🙂 "ja"', ' \\', ' data: {"type":"done"}', '.']

export const replyTokens = (
  tokens: readonly string[],
  more: { [member: string]: Json } = {},
): readonly Json[] => [{ match: {}, reply: { tokens, ...more } }]

const usual = replyTokens(everyToken)

export const streaming = (service: ServiceSetup = {}): ClientStep => ({
  task: { do: 'stream', message: 'List everything.', idempotencyKey: 'stream-to-the-letter' },
  service: { replies: usual, ...service },
})

/** A whole stream has the same encoding when it is requested again: in the usual one, a retry would hide a failure. */
export const encoded = (as: StreamEncoding, service: ServiceSetup = {}): ClientStep =>
  streaming({
    ...service,
    networkFaults: [{ times: as.end || as.noFinalBlank ? 1 : unlimited, do: { is: 'encode', as } }],
  })

export interface StreamSteps {
  usual: readonly Exchange[]
  odd: readonly Exchange[]
}

export function reportsBoth(steps: StreamSteps, context: Context): Judgement {
  return ifStreamed(steps.usual, () =>
    given(reportsStream(steps.usual, context, 'usual'), () => reportsStream(steps.odd, context, 'odd')),
  )
}

/** Judges the odd stream of a client that does not fail at the usual one, too. */
export function ifUsualRead({ usual }: StreamSteps, context: Context, judge: () => Judgement): Judgement {
  return ifStreamed(usual, () => {
    const judged = reportsStream(usual, context, 'usual')
    return judged.is === 'fail' ? need(judged) : judge()
  })
}

/** Longer than any network takes, and no long time for an agent. */
export const silenceMs = 1_500

/** Who leaves before that did not wait: something that came was too much for it. */
const noWaitMs = 500

/** The same, in a silence: how long to wait for the next event is for the client to say. */
export function reportsUnlessLeft(steps: StreamSteps, context: Context): Judgement {
  return ifUsualRead(steps, context, () => {
    const [stream] = streamsIn(steps.odd)
    const stayed = stream ? readsToTheEnd(stream, context, 'odd') : pass
    if (!stream || stayed.is !== 'fail') return reportsBoth(steps, context)
    if (stream.endedAt - (stream.response?.at ?? 0) < noWaitMs) return { ...stayed, is: 'warn' }
    return observed('it did not wait a second and a half for the next event')
  })
}

export type Judging = (steps: StreamSteps, context: Context) => Judgement

/** A scenario of the usual stream and an odd one, judged alike under each of these clauses. */
export function oddStream(
  title: string,
  clauses: readonly ClauseId[],
  odd: ClientStep,
  judge: Judging = reportsBoth,
): ClientScenario {
  return clientScenario({
    title,
    // On a busy machine each write waits for its turn, and a script starts a program for each event.
    steps: { usual: streaming(), odd: { limitMs: 60_000, ...odd } },
    judge: Object.fromEntries(clauses.map((clause) => [clause, judge])),
  })
}
