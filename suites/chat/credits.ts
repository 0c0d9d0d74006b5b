/** Bookkeeping: what a turn uses, and what is left after it. */
import type { Judgement } from '../engine/judgement.ts'
import { scenario } from '../engine/scenario.ts'
import { code, codesOf, object, refused, shown, status } from '../judge/answer.ts'
import { balanced } from '../judge/credits.ts'
import { ran } from '../judge/once.ts'
import { check, every, given, notApplicable, observed } from '../judge/expect.ts'
import { refusedBeside } from '../judge/turn.ts'
import { isStream } from '../judge/reply.ts'
import type { Exchange } from '../wire/exchange.ts'

export const balance = scenario({
  title: 'what is left is what was left less what was used, and a refusal uses nothing',
  exchanges: ['first', 'second', 'badBody', 'noAgent', 'conflict', 'third', 'streamed'],
  needs: { exclusiveCredits: true },
  cost: { requests: 7, turns: 4 },
  async play(t) {
    const key = t.key()
    // Where a turn costs by its length, each of these costs something else: what is rounded away shows.
    await t.chat('first', { message: t.text(30) })
    await t.chat('second', { message: t.text(37), idempotency_key: key })
    await t.chat('badBody', { message: '' })
    await t.chat('noAgent', { message: t.text(30), agent: t.uuid() })
    await t.chat('conflict', { message: t.text(31), idempotency_key: key })
    await t.chat('third', { message: t.text(43) })
    await t.chat('streamed', { message: t.text(54), stream: true })
  },
  judge: {
    'CRED-BALANCE': ({ first, second }) => balanced(first, second),
    'CRED-REFUSAL-FREE': ({ second, badBody, noAgent, conflict, third }) =>
      given(every([badBody, noAgent, conflict], refused), () => balanced(second, third)),
    'CRED-BALANCE-STREAM': ({ third, streamed }) => balanced(third, streamed),
  },
})

export const concurrent = scenario({
  title: 'turns that run at once are each charged',
  exchanges: ['before', 'turns[]', 'after'],
  needs: { exclusiveCredits: true },
  cost: { requests: 6, turns: 6 },
  async play(t) {
    await t.chat('before', { message: t.text(30) })
    await t.together(
      'turns',
      Array.from({ length: 4 }, () => ({ message: t.text(30) })),
    )
    await t.chat('after', { message: t.text(30) })
  },
  judge: {
    // What the turns themselves say is left may not count one another yet: the turn after them is the witness.
    'CRED-BALANCE-CONCURRENT': ({ before, turns, after }) =>
      given(every(turns, ran), () => balanced(before, after, turns)),
  },
})

export const exhausted = scenario({
  title: 'a turn that the credits left do not cover is refused with 402',
  exchanges: ['plain', 'streamed', 'after'],
  needs: { states: ['credits.exhausted'] },
  cost: { requests: 4, turns: 1 },
  async play(t) {
    await t.chat('plain', { message: t.message })
    await t.chat('streamed', { message: t.message, stream: true })
    await t.leave('credits.exhausted')
    await t.chat('after', { message: t.message })
  },
  judge: {
    'CRED-EMPTY-STATUS': ({ plain, after }) => refusedBeside(after, plain, 402),
    'CRED-EMPTY-CODE': ({ plain, after }) =>
      given(refusedBeside(after, plain, 402), () => code(plain, 'INSUFFICIENT_CREDITS')),
    'CRED-EMPTY-AMOUNTS': ({ plain, after }) => given(refusedBeside(after, plain, 402), () => numbers(plain)),
    'CRED-EMPTY-SHORT': ({ plain, after }) => given(refusedBeside(after, plain, 402), () => short(plain)),
    'CRED-EMPTY-STREAM': ({ plain, streamed, after }) =>
      given(refusedBeside(after, plain, 402), () => sameRefusal(plain, streamed)),
  },
  observe: {
    'GAP-CREDIT-AMOUNTS': ({ plain, after }) =>
      given(refusedBeside(after, plain, 402), () =>
        observed(`amounts in the refusal: ${Object.keys(amounts(plain)).join(', ') || 'none'}`),
      ),
  },
})

export const exhaustedFree = scenario({
  title: 'a turn that is refused for want of credits leaves those that there are',
  exchanges: ['plain', 'streamed'],
  needs: { states: ['credits.exhausted'], exclusiveCredits: true },
  cost: { requests: 2, turns: 0 },
  async play(t) {
    await t.chat('plain', { message: t.message })
    await t.chat('streamed', { message: t.message, stream: true })
  },
  judge: {
    'CRED-REFUSAL-FREE': ({ plain, streamed }) =>
      given(status(plain, 402), () => given(status(streamed, 402), () => untouched(plain, streamed))),
  },
})

/** The amounts that a refusal for want of credits tells; each only where it is known. */
function amounts(exchange: Exchange): { credits_required?: unknown; credits_remaining?: unknown } {
  const { credits_required, credits_remaining } = object(exchange) ?? {}
  return {
    ...(credits_required === undefined ? {} : { credits_required }),
    ...(credits_remaining === undefined ? {} : { credits_remaining }),
  }
}

function numbers(exchange: Exchange): Judgement {
  const known = amounts(exchange)
  if (Object.keys(known).length === 0)
    return notApplicable('the refusal tells no amounts, so they are not known')
  const holds = Object.values(known).every((amount) => typeof amount === 'number')
  return check(holds, 'amounts that are numbers', JSON.stringify(known), exchange)
}

function short(exchange: Exchange): Judgement {
  const { credits_required: required, credits_remaining: remaining } = amounts(exchange)
  if (typeof required !== 'number' || typeof remaining !== 'number')
    return notApplicable('the refusal does not tell both amounts as numbers')
  const got = `${remaining} left, ${required} required`
  return check(remaining < required, 'less left than required', got, exchange)
}

/** The other one is refused with 402 too, as JSON, with the same codes. */
function sameRefusal(plain: Exchange, streamed: Exchange): Judgement {
  const judgement = status(streamed, 402)
  if (judgement.is !== 'pass') return judgement
  const [expected, got] = [plain, streamed].map((one) => codesOf(one).join(' '))
  const same = !isStream(streamed) && object(streamed) !== null && expected === got
  return check(same, `a JSON object with ${expected || 'no code'}`, shown(streamed), streamed)
}

/** Two refusals in a row tell the same balance. */
function untouched(first: Exchange, second: Exchange): Judgement {
  const [before, after] = [first, second].map((exchange) => amounts(exchange).credits_remaining)
  if (typeof before !== 'number' || typeof after !== 'number')
    return notApplicable('the refusals tell no balance, so it is not known')
  return check(before === after, `${before} credits left`, `${after} left`, second)
}
