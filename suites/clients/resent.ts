/** What a client sends again by itself: whether it is the same turn, and how long it waited before. */
import type { Judgement } from '../engine/judgement.ts'
import { excerpt } from '../judge/excerpt.ts'
import { all, check, every, inconclusive, notApplicable } from '../judge/expect.ts'
import { isMembers } from '../judge/pointer.ts'
import { canonical } from '../judge/reply.ts'
import type { Exchange } from '../wire/exchange.ts'
import { idempotencyKeysOf, sentJson } from './carried.ts'
import { sentTo } from './performed.ts'

/** How often a turn is sent is for the client to choose, and so is whether it is sent again at all. */
const leftToItsCaller = notApplicable('it leaves it to its caller whether a turn is sent again')

/** Turns that were sent behind the first one; where there are none, nothing is judged of how they were sent. */
function whereSentAgain(
  exchanges: readonly Exchange[],
  judge: (tries: readonly [Exchange, ...Exchange[]]) => Judgement,
): Judgement {
  const [first, ...later] = sentTo(exchanges, 'chat')
  if (!first) return inconclusive('it asked for no turn')
  return later.length === 0 ? leftToItsCaller : judge([first, ...later])
}

/** Each time the same key, message, conversation and button; how it asks for a stream may change. */
export function sentAlike(exchanges: readonly Exchange[]): Judgement {
  return whereSentAgain(exchanges, ([first, ...later]) => every(later, (again) => sameTurn(first, again)))
}

const parts = ['message', 'conversation_id', 'interaction'] as const

export function sameTurn(first: Exchange, again: Exchange): Judgement {
  const [before, now] = [idempotencyKeysOf(first).join(' and '), idempotencyKeysOf(again).join(' and ')]
  return all(
    check(before === now, `the key ${before || 'that was missing before'} again`, now || 'no key', again),
    ...parts.map((part) => {
      const [was, is] = [partOf(first, part), partOf(again, part)]
      return check(was === is, `\`${part}\` again: ${excerpt(was)}`, excerpt(is), again)
    }),
  )
}

function partOf(exchange: Exchange, part: (typeof parts)[number]): string {
  const body = sentJson(exchange)
  const value = isMembers(body) ? body[part] : undefined
  return value === undefined || value === null ? 'nothing' : canonical(value)
}

/**
 * Nothing went out again before so many milliseconds were over, from the end of an answer on. `short`: less than
 * that is only weak, down to `ms`.
 */
export function waited(
  exchanges: readonly Exchange[],
  { ms, short = ms }: { ms: number; short?: number },
): Judgement {
  return whereSentAgain(exchanges, (tries) =>
    every(tries.slice(1), (again) => {
      const before = tries.findLast(({ id }) => id < again.id)
      const gap = again.sentAt - (before?.endedAt ?? 0)
      const got = `${Math.max(0, Math.round(gap))} ms`
      const judged = check(gap >= ms, `a wait of at least ${ms} ms`, got, again)
      if (judged.is !== 'pass' || gap >= short) return judged
      return { is: 'weak', expected: `a wait of ${short} ms, as it was told`, got, exchange: again.id }
    }),
  )
}

/** None but the first turn carries this; `words` say what it is. */
export function notAgain(
  exchanges: readonly Exchange[],
  words: string,
  carries: (again: Exchange, first: Exchange) => boolean,
): Judgement {
  const [first, ...later] = sentTo(exchanges, 'chat')
  if (!first) return inconclusive('it asked for no turn')
  const again = later.find((one) => carries(one, first))
  return check(again === undefined, `${words} is not sent again`, 'it was', again ?? first)
}
