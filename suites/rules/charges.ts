/** Rules over what turns cost, where no other client spends the credits of the account. */
import type { Exchange } from '../wire/exchange.ts'
import { codesOf, statusOf } from '../assertions/answer.ts'
import { balanced, isFresh, isReplay, isStream } from '../assertions/reply.ts'
import { asked } from '../assertions/turn.ts'
import { endIsKnown, overlap } from '../chat/assertions/race.ts'
import { given, pass } from '../scenario/expect.ts'
import type { Context, Judgement } from '../scenario/scenario.ts'
import { memo } from '../wire/memo/memo.ts'
import { firstOfEachKey, isTextAlone, keyHolder } from './chat.ts'
import { eachOf, ruleOver } from './rule.ts'

type Kind = 'replay' | 'replay of a stream' | 'conflict' | 'refusal' | 'unknown'

function kindOf(exchange: Exchange): Kind {
  // A request that was sent twice may have run the first time, and be both replayed and charged.
  if (exchange.resent === true || !exchange.request.path.startsWith('/api/v1/chat/')) return 'unknown'
  if (isReplay(exchange)) return asked(exchange)?.['stream'] === true ? 'replay of a stream' : 'replay'
  const status = statusOf(exchange)
  if (status === 409 && codesOf(exchange).includes('IDEMPOTENCY_CONFLICT')) return 'conflict'
  return status >= 400 && status < 500 && status !== 409 && status !== 429 ? 'refusal' : 'unknown'
}

/** Two turns that ran with one API key in one scenario, and what was sent between them, one after the other. */
interface Gap {
  from: Exchange
  to: Exchange
  between: readonly Exchange[]
}

/** What another scenario lost is over for us when it ended. */
const meets = (one: Exchange, other: Exchange): boolean =>
  one.scenario === other.scenario
    ? overlap(one, other)
    : one.sentAt < other.endedAt && other.sentAt < one.endedAt

/** Those that were in flight beside another; `sent`: in the order of time. */
function besideIn(sent: readonly Exchange[]): ReadonlySet<Exchange> {
  const found = new Set<Exchange>()
  let open: readonly Exchange[] = []
  for (const one of sent) {
    open = open.filter((other) => other.endedAt > one.sentAt || !endIsKnown(other))
    for (const other of open) if (meets(one, other)) found.add(one).add(other)
    open = [...open, one]
  }
  return found
}

const gapsOf = memo((all: readonly Exchange[]): readonly Gap[] => {
  const sent = all.filter(({ inbound }) => !inbound)
  const beside = besideIn(sent)
  const fresh = new Set(firstOfEachKey(sent).flat())
  const ran = sent.flatMap((one, at) => (fresh.has(one) && isFresh(one) ? [at] : []))
  return ran.slice(1).flatMap((at, index) => {
    const course = sent.slice(ran[index], at + 1)
    const [from, to] = [course[0], course.at(-1)]
    // What a tool or a Workflow does later may be charged later.
    const isAlone = course.every(
      (one) => one.scenario === from?.scenario && isTextAlone(one) && !beside.has(one),
    )
    return from && to && keyHolder(from) === keyHolder(to) && isAlone
      ? [{ from, to, between: course.slice(1, -1) }]
      : []
  })
})

/**
 * Compared with two turns with nothing between them: an error in every balance is not judged here, nor is one of a
 * streamed turn, unless such a pair ends with it.
 */
const free =
  (...kinds: readonly Kind[]) =>
  (all: readonly Exchange[], { notes }: Pick<Context, 'notes'>): Judgement => {
    const gaps = gapsOf(all).filter(({ from }) => !String(notes[from.scenario]).includes('credits.'))
    const plain = gaps.filter(({ between }) => between.length === 0)
    const wanted = gaps.filter(
      ({ from, to, between }) =>
        between.length > 0 &&
        between.every((one) => kinds.includes(kindOf(one))) &&
        !isStream(to) &&
        (!isStream(from) || plain.some((gap) => gap.to === from)),
    )
    return given(
      plain.map(({ from, to }) => balanced(from, to)).find(({ is }) => is === 'fail') ?? pass,
      () =>
        eachOf(
          wanted.map(({ from, to }): [Exchange, Exchange] => [from, to]),
          `turns with nothing but a ${kinds.join(' or ')} before them`,
          balanced,
        ),
    )
  }

export const charges = ruleOver(
  'nothing but turns is charged',
  {
    'IDEM-REPLAY-FREE': free('replay'),
    'IDEM-STREAM-REPLAY-FREE': free('replay of a stream'),
    'IDEM-CONFLICT-FREE': free('conflict'),
    'CRED-REFUSAL-FREE': free('refusal', 'conflict'),
  },
  { exclusiveCredits: true },
)
