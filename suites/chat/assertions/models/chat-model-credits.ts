/**
 * What a course of drawn steps may have been charged: what stands between two turns that ran one after the other is
 * free, whatever it is. Only where it is of one kind is it known which clause it breaks.
 */
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { codesOf, statusOf } from '../../../assertions/answer.ts'
import { stepsOf, type Step } from './model-requests.ts'
import { balanced } from '../../../assertions/credits.ts'
import { every, given, inconclusive } from '../../../scenario/expect.ts'
import { isFresh, isReplay } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

type Kind = 'replay' | 'replay of a stream' | 'conflict' | 'refusal' | 'unknown'

const wantsStream = (exchange: Exchange): boolean => asked(exchange)?.['stream'] === true
const isStreamed = ({ exchange }: Step): boolean => wantsStream(exchange)

function kindOf({ exchange, first }: Step): Kind {
  // What went out twice may have run the first time, and be replayed and charged all the same.
  if (exchange.resent === true) return 'unknown'
  if (isReplay(exchange)) return wantsStream(first) ? 'replay of a stream' : 'replay'
  const status = statusOf(exchange)
  if (status === 409 && codesOf(exchange).includes('IDEMPOTENCY_CONFLICT')) return 'conflict'
  return status >= 400 && status < 500 && status !== 429 ? 'refusal' : 'unknown'
}

/** Turns that ran next to one another, and what was sent between. */
interface Gap {
  from: Step
  to: Step
  between: readonly Step[]
}

function gapsOf(steps: readonly Step[]): readonly Gap[] {
  const ran = steps.flatMap(({ exchange }, at) => (isFresh(exchange) ? [at] : []))
  return ran.slice(1).flatMap((at, index) => {
    const [from, to] = [steps[ran[index] ?? 0], steps[at]]
    return from && to ? [{ from, to, between: steps.slice((ran[index] ?? 0) + 1, at) }] : []
  })
}

const balance = ({ from, to }: Gap): Judgement => balanced(from.exchange, to.exchange)

/**
 * Beside two turns with nothing between: what is wrong with every balance is not judged here, and neither is that of a
 * streamed turn, unless it ended such a pair itself.
 */
const free =
  (...kinds: readonly Kind[]): CourseJudge =>
  (course) => {
    const gaps = gapsOf(stepsOf(course))
    const plain = gaps.filter(({ between }) => between.length === 0)
    const wanted = gaps.filter(
      ({ from, to, between }) =>
        between.length > 0 &&
        between.every((step) => kinds.includes(kindOf(step))) &&
        !isStreamed(to) &&
        (!isStreamed(from) || plain.some((gap) => gap.to === from)),
    )
    if (wanted.length === 0) return inconclusive('no course had only such steps between two turns')
    return given(every(plain, balance), () => every(wanted, balance))
  }

export const creditsModel = {
  'IDEM-REPLAY-FREE': free('replay'),
  'IDEM-STREAM-REPLAY-FREE': free('replay of a stream'),
  'IDEM-CONFLICT-FREE': free('conflict'),
  'CRED-REFUSAL-FREE': free('refusal'),
} as const satisfies Readonly<Record<string, CourseJudge>>
