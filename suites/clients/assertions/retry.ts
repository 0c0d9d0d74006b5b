/** What a client sends again by itself: whether it is the same turn, and how long it waited before. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, every, inconclusive, notApplicable, pass, softened } from '../../scenario/expect.ts'
import { canonical } from '../../assertions/reply.ts'
import { asked } from '../../assertions/turn.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { bodyMember, idempotencyKeysOf, successful } from './request.ts'
import { reportedIn, sentTo } from './step-result.ts'

/** What was sent behind the first one; where there is nothing, nothing is judged of how they were sent. */
export function whereSentAgain(
  exchanges: readonly Exchange[],
  judge: (tries: readonly [Exchange, ...Exchange[]]) => Judgement,
  place: 'chat' | 'execution' = 'chat',
): Judgement {
  const [first, ...later] = sentTo(exchanges, place)
  if (!first) return inconclusive('it sent nothing')
  if (later.length === 0) return notApplicable('it leaves it to its caller whether it is sent again')
  return judge([first, ...later])
}

const resent =
  (ofRest: (judged: Judgement) => Judgement) =>
  (exchanges: readonly Exchange[]): Judgement =>
    whereSentAgain(exchanges, ([first, ...later]) =>
      every(later, (again) => all(sameTurn(first, again), ofRest(sameRest(first, again)))),
    )

/** Each time the same key, message, conversation and button; how it asks for a stream may change. */
export const retriesSameTurn = resent(softened)
/** To the letter it is another request with other members, too. */
export const retriesSameRequest = resent((judged) => judged)

const parts = ['message', 'conversation_id', 'interaction'] as const

function sameTurn(first: Exchange, again: Exchange): Judgement {
  const [before, now] = [idempotencyKeysOf(first).join(' and '), idempotencyKeysOf(again).join(' and ')]
  return all(
    check(before === now, `the key ${before || 'that was missing before'} again`, now || 'no key', again),
    ...parts.map((part) => {
      const [was, is] = [partOf(first, part), partOf(again, part)]
      return check(was === is, `\`${part}\` again: ${excerpt(was)}`, excerpt(is), again)
    }),
  )
}

function sameRest(first: Exchange, again: Exchange): Judgement {
  const named: readonly string[] = [...parts, 'stream', 'idempotency_key']
  const restOf = (one: Exchange): string =>
    canonical(Object.fromEntries(Object.entries(asked(one) ?? {}).filter(([name]) => !named.includes(name))))
  const [was, is] = [restOf(first), restOf(again)]
  return check(was === is, `the same other members of the body: ${excerpt(was)}`, excerpt(is), again)
}

function partOf(exchange: Exchange, part: (typeof parts)[number]): string {
  const value = bodyMember(exchange, part)
  return value === undefined || value === null ? 'nothing' : canonical(value)
}

/** What follows a refusal, with the time since. What follows any other response is no retry, and need not wait. */
export const afterRefusals = (tries: readonly Exchange[]) =>
  tries.slice(1).flatMap((again, i) => {
    const { response, endedAt = 0 } = tries[i] ?? {}
    return response && response.status >= 400 ? [{ again, gap: again.sentAt - endedAt }] : []
  })

/**
 * Nothing went out again before so many milliseconds were over, from the end of a refusal on. `short`: less than
 * that is only weak, down to `ms`. `growing`: whoever waits longer each time, and so long in the end, may begin with
 * less.
 */
export function waitsBeforeRetry(
  exchanges: readonly Exchange[],
  { ms, short = ms, growing = false }: { ms: number; short?: number; growing?: boolean },
  place: 'chat' | 'execution' = 'chat',
): Judgement {
  const judge = (tries: readonly [Exchange, ...Exchange[]]): Judgement => {
    const waits = afterRefusals(tries)
    if (growing && doGrow(waits.map(({ gap }) => gap)) && (waits.at(-1)?.gap ?? 0) >= ms) return pass
    return every(waits, ({ again, gap }) => {
      const got = `${Math.max(0, Math.round(gap))} ms`
      const judged = check(gap >= ms, `a wait of at least ${ms} ms`, got, again)
      if (judged.is !== 'pass' || gap >= short) return judged
      return { is: 'warn', expected: `a wait of ${short} ms, as requested`, got, exchange: again.id }
    })
  }
  return whereSentAgain(exchanges, judge, place)
}

/** To twice the first at least, and never less than before: a busy machine makes single steps uneven. */
const doGrow = (waits: readonly number[]): boolean =>
  waits.length > 2 &&
  waits.every((wait, i) => wait > 0 && wait >= (waits[i - 1] ?? 0)) &&
  (waits.at(-1) ?? 0) >= 2 * (waits[0] ?? 0)

export function reportsSeconds(
  sent: readonly Exchange[],
  context: Context,
  step: string,
  seconds: number,
): Judgement {
  if (successful(sent).length > 0) return notApplicable('it waited by itself, and was answered')
  const reported = reportedIn(context, step, 'error').at(-1)?.error
  if (!reported) return inconclusive('the application reports no error: `touchstone {"saw":"error",…}`')
  const said = reported['retryAfterSeconds']
  const got = JSON.stringify(said) ?? 'no such member'
  return check(said === seconds, `\`retryAfterSeconds\`: ${seconds}`, got, sent.at(-1))
}

export const noOtherKey = 'no request with another key after OUTCOME_UNCERTAIN'

/** None but the first turn carries what `expected` excludes. */
export function notSentAgain(
  exchanges: readonly Exchange[],
  expected: string,
  carries: (again: Exchange, first: Exchange) => boolean,
): Judgement {
  const [first, ...later] = sentTo(exchanges, 'chat')
  if (!first) return inconclusive('it sent no turn')
  const again = later.find((one) => carries(one, first))
  const got = again && `it was sent with ${idempotencyKeysOf(again).join(' and ') || 'no key'}`
  return check(again === undefined, expected, got ?? '', again ?? first)
}
