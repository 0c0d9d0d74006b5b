/**
 * Judges the charges of a command sequence: whatever is between two consecutive turns that ran is free. The broken
 * clause is known only if all of it is of one kind.
 */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { codesOf, statusOf } from '../../../assertions/answer.ts'
import { sequenceRequestsOf, type SequenceRequest } from './model-requests.ts'
import { balanced } from '../../../assertions/credits.ts'
import { every, given, inconclusive } from '../../../scenario/expect.ts'
import { isFresh, isReplay } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

type Kind = 'replay' | 'replay of a stream' | 'conflict' | 'refusal' | 'unknown'

const wantsStream = (exchange: Exchange): boolean => asked(exchange)?.['stream'] === true
const isStreamed = ({ exchange }: SequenceRequest): boolean => wantsStream(exchange)

function kindOf({ exchange, first }: SequenceRequest): Kind {
  // A request that was sent twice may have run the first time, and be both replayed and charged.
  if (exchange.resent === true) return 'unknown'
  if (isReplay(exchange)) return wantsStream(first) ? 'replay of a stream' : 'replay'
  const status = statusOf(exchange)
  if (status === 409 && codesOf(exchange).includes('IDEMPOTENCY_CONFLICT')) return 'conflict'
  return status >= 400 && status < 500 && status !== 429 ? 'refusal' : 'unknown'
}

/** Two consecutive turns that ran, and the requests between them. */
interface Gap {
  from: SequenceRequest
  to: SequenceRequest
  between: readonly SequenceRequest[]
}

function gapsOf(steps: readonly SequenceRequest[]): readonly Gap[] {
  const ran = steps.flatMap(({ exchange }, at) => (isFresh(exchange) ? [at] : []))
  return ran.slice(1).flatMap((at, index) => {
    const [from, to] = [steps[ran[index] ?? 0], steps[at]]
    return from && to ? [{ from, to, between: steps.slice((ran[index] ?? 0) + 1, at) }] : []
  })
}

const balance = ({ from, to }: Gap): Judgement => balanced(from.exchange, to.exchange)

/**
 * Compared with two turns with nothing between them: an error in every balance is not judged here, nor is one of a
 * streamed turn, unless such a pair ends with it.
 */
const free =
  (...kinds: readonly Kind[]): SequenceJudge =>
  (course) => {
    const gaps = gapsOf(sequenceRequestsOf(course))
    const plain = gaps.filter(({ between }) => between.length === 0)
    const wanted = gaps.filter(
      ({ from, to, between }) =>
        between.length > 0 &&
        between.every((step) => kinds.includes(kindOf(step))) &&
        !isStreamed(to) &&
        (!isStreamed(from) || plain.some((gap) => gap.to === from)),
    )
    if (wanted.length === 0) return inconclusive('no sequence had only such requests between two turns')
    return given(every(plain, balance), () => every(wanted, balance))
  }

export const creditsModel = {
  'IDEM-REPLAY-FREE': free('replay'),
  'IDEM-STREAM-REPLAY-FREE': free('replay of a stream'),
  'IDEM-CONFLICT-FREE': free('conflict'),
  'CRED-REFUSAL-FREE': free('refusal'),
} as const satisfies Readonly<Record<string, SequenceJudge>>
