/** Charges: the credits that a turn uses, and the balance after it. */
import { chatErrors, limits } from '../../../spec/index.ts'
import { scenario, type ChatRequest, type Judgement } from '../../scenario/scenario.ts'
import { codesOf, object, shown, status, statusOf } from '../../assertions/answer.ts'
import { amountOf, balanced, isReplay, isStream, remaining, used } from '../../assertions/reply.ts'
import { ran } from '../../assertions/once.ts'
import { byKey, eachKey, oneRun, repliesApart, winnerOf } from '../assertions/race.ts'
import { alphabets, keepsAstral, markedText, ownReplies, ownTokens } from '../assertions/reply-isolation.ts'
import type { Profile } from '../../config/target.ts'
import {
  all,
  fail,
  check,
  every,
  given,
  inconclusive,
  inTurn,
  notApplicable,
  observed,
  pass,
  warn,
} from '../../scenario/expect.ts'
import { accepts, conversationOf, refusedBeside, replied, toContinue } from '../../assertions/turn.ts'
import { valueOf } from '../../values/values.ts'
import { creditsIn } from '../assertions/usage.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'

const eachBalanced =
  (isJudged: (turn: Exchange) => boolean) =>
  ({ turns }: { turns: readonly Exchange[] }): Judgement =>
    every(turns.slice(1).filter(isJudged), (turn) => balanced(turns[turns.indexOf(turn) - 1] ?? turn, turn))

/** What is charged for what was sent between two turns, a rule judges. */
export const balance = scenario({
  title: 'the balance decreases by what a turn used, whatever its kind, and nothing else uses any',
  exchanges: ['turns[]', 'refusals[]', 'again[]', 'paid[]', 'late'],
  needs: { exclusiveCredits: true, also: { other: { kind: 'ordinary' } } },
  cost: { requests: 22, turns: 13 },
  async run(t) {
    const request = { message: t.text(30), idempotency_key: t.key() }
    const first = await t.add('turns', request)
    const within = { conversation_id: toContinue(t, first) }
    const streamed = await t.add('turns', { message: t.text(54), stream: true })
    // Each may be charged in its own way, and has another length, which detects rounding.
    const kinds: readonly ChatRequest[] = [
      { message: t.text(61), stream: true, ...within },
      { message: t.text(41), idempotency_key: null, headers: [['X-Idempotency-Key', t.key()]] },
      { message: t.text(4_000) },
      { message: `${valueOf('cyrillic')} ${t.text(12)}` },
      // Another key of the account, between two of the first.
      ...(t.has('other') ? [{ message: t.text(37), as: 'other' }, { message: t.text(45) }] : []),
    ]
    for (const kind of kinds) await t.add('turns', kind)
    await t.add('refusals', { message: t.text(30), idempotency_key: null })
    await t.add('refusals', { message: t.text(limits.messageMaxCharacters + 1) })
    await t.add('refusals', { message: t.text(30), agent: t.uuid() })
    // A turn may be charged with a delay.
    await t.wait(500)
    const paid = (more: ChatRequest = {}) => t.add('paid', { message: t.text(43), ...more })
    const idempotency_key = t.key()
    await paid()
    await t.resendTo('again', first)
    await paid({ idempotency_key })
    await t.add('again', { message: t.text(52), idempotency_key })
    await paid()
    await t.resendTo('again', streamed)
    await paid()
    await t.add('again', { ...request, stream: true })
    await paid()
    await t.resend('late', first)
    await paid()
  },
  judge: {
    'CRED-BALANCE': eachBalanced((turn) => !isStream(turn)),
    'CRED-BALANCE-STREAM': eachBalanced(isStream),
  },
  observe: {
    'GAP-REPLAY-CREDITS': ({ turns: [first], paid, late }) =>
      given(first ? replied(first) : inconclusive('nothing was sent'), () => {
        if (!first || !isReplay(late)) return observed('no replay')
        const [left, last] = [remaining(late), paid.findLast(({ id }) => id < late.id)]
        const isNow = last !== undefined && left === remaining(last)
        const then = left === remaining(first) ? 'then' : isNow ? 'now' : 'at another time'
        const again = used(late) === 0 ? 'nothing' : 'other'
        const amount = used(late) === used(first) ? 'as in the original' : again
        return observed(`credits used: ${amount}; credits left: those ${then}`)
      }),
  },
})

/** Of four turns the first two are answered as JSON. */
const asJson = 2

const concurrentScenario = (keys: number, wide: number, profile: Profile) =>
  scenario({
    title: `concurrent turns each receive their own reply and are charged, and ${wide} identical requests as one`,
    exchanges: ['before', 'turns[]', 'between', 'race[]', 'after'],
    needs: { exclusiveCredits: ['CRED-BALANCE-CONCURRENT', 'IDEM-RACE-CHARGE'] },
    cost: { requests: 3 + alphabets.length + keys * (wide + 1), turns: 3 + alphabets.length + keys },
    profile,
    async run(t) {
      // Of each kind one begins a conversation of its own, and one continues that of the turn before.
      const id = conversationOf(await t.chat('before', t.echoing(t.text(30))))
      await t.together(
        'turns',
        alphabets.map((alphabet, at) => ({
          ...t.echoing(markedText(alphabet, (below) => t.pick(below))),
          ...(at < asJson ? {} : { stream: true }),
          ...(at % 2 === 0 || id === null ? {} : { conversation_id: id }),
        })),
      )
      await t.chat('between', { message: t.text(30) })
      const requests = Array.from({ length: keys }, () => ({ message: t.text(40), idempotency_key: t.key() }))
      await t.together('race', Array.from({ length: wide }, () => requests).flat())
      for (const request of requests) await t.add('race', request)
      await t.chat('after', { message: t.text(30) })
    },
    judge: {
      'RES-RESPONSE-STRING': ({ turns }) =>
        all(
          ownReplies(turns.slice(0, asJson), turns),
          keepsAstral(turns.slice(0, asJson), turns.slice(asJson)),
        ),
      'SSE-DONE-RESPONSE': ({ turns }) => ownReplies(turns.slice(asJson), turns),
      'SSE-TOKEN': ({ turns }) => ownTokens(turns.slice(asJson), turns),
      // The balances of concurrent turns may not include one another yet, so the next turn is the probe.
      'CRED-BALANCE-CONCURRENT': ({ before, turns, between }) =>
        given(every(turns, ran), () => balanced(before, between, turns)),
      'IDEM-RACE-KEYS': ({ race }) => repliesApart(byKey(race)),
      'IDEM-RACE-ONE-RUN': ({ race }) => eachKey(race, (...same) => oneRun(same)),
      'IDEM-RACE-CHARGE': ({ before, turns, between, race, after }) => {
        const [run, winners] = [eachKey(race, (...same) => oneRun(same)), byKey(race).map(winnerOf)]
        if (run.is === 'inconclusive' || winners.includes(null)) return run
        const counted = winners.filter((winner) => winner !== null)
        return given(balanced(before, between, turns), () => balanced(between, after, counted))
      },
    },
  })

export const concurrent = concurrentScenario(2, 3, 'standard')
export const manyConcurrent = concurrentScenario(6, 6, 'exhaustive')

/** How soon added credits count is not stated: a shortage may be cached for up to a minute. */
const [tries, minuteMs] = [4, 60_000]

export const exhausted = scenario({
  title:
    'a turn that the balance does not cover is refused with 402, and free, and runs once credits were added',
  exchanges: ['before', 'earlier', 'plain', 'streamed', 'continued', 'usage', 'after[]'],
  needs: {
    also: { payer: { with: ['billing_read'] } },
    enters: ['credits.exhausted'],
    exclusiveCredits: ['CRED-REFUSAL-FREE'],
  },
  cost: { requests: 6 + tries, turns: 2 + tries },
  async run(t) {
    const message = t.text(30)
    const id = conversationOf(await t.chat('before', { message }))
    const within = { message, ...(id === null ? {} : { conversation_id: id }) }
    await t.chat('earlier', within)
    await t.enter('credits.exhausted')
    await t.chat('plain', { message: t.message })
    await t.chat('streamed', { message: t.message, stream: true })
    await t.chat('continued', within)
    await t.leave('credits.exhausted')
    await t.optional(['usage'], () => t.read('usage', '/api/v1/billing/usage', { as: 'payer' }))
    for (let left = tries; left > 0; left--) {
      if (statusOf(await t.add('after', { message })) !== 402) return
      if (left > 1) await t.settle(minuteMs / (tries - 1))
    }
  },
  judge: {
    'CRED-EMPTY-STATUS': ({ before, earlier, plain, continued }) =>
      inTurn(refusedBeside(before, plain, 402), () =>
        ranUnpaid(continued, before, earlier) ? status(continued, 402) : pass,
      ),
    'CRED-EMPTY-AMOUNTS': ({ before, plain }) =>
      given(refusedBeside(before, plain, 402), () => {
        // Their type is not shown: a string with a number warns.
        const reported = amounts(plain)
        const values = Object.values(reported)
        if (values.length === 0) return notApplicable('the refusal has no amounts')
        const got = JSON.stringify(reported)
        if (values.some((value) => amountOf(value) === null)) return fail('amounts', got, plain)
        const isNumber = values.every((value) => typeof value === 'number')
        return isNumber ? pass : warn('amounts that are numbers', got, plain)
      }),
    'CRED-EMPTY-SHORT': ({ before, plain }) => given(refusedBeside(before, plain, 402), () => short(plain)),
    'CRED-EMPTY-STREAM': ({ before, plain, streamed }) =>
      given(refusedBeside(before, plain, 402), () => {
        // The other one is refused with 402 too, as JSON, with the same codes.
        const judgement = status(streamed, 402)
        if (judgement.is !== 'pass') return judgement
        const [expected, got] = [plain, streamed].map(chatCodesOf)
        const same = !isStream(streamed) && object(streamed) !== null && expected === got
        return check(same, `a JSON object with ${expected || 'no code'}`, shown(streamed), streamed)
      }),
    'CRED-REFUSAL-FREE': ({ before, plain, streamed }) =>
      given(all(refusedBeside(before, plain, 402), status(streamed, 402)), () => untouched(plain, streamed)),
    'REQ-ROUTE': ({ before, earlier, plain, usage, after }, { dialect }) =>
      given(refusedBeside(before, plain, 402), () =>
        every(after.slice(-1), (last) =>
          statusOf(last) === 402 ? needless(last, earlier, usage, dialect) : accepts(last),
        ),
      ),
  },
  observe: {
    'GAP-CREDIT-AMOUNTS': ({ before, plain }) =>
      given(refusedBeside(before, plain, 402), () =>
        observed(`amounts in the refusal: ${Object.keys(amounts(plain)).join(', ') || 'none'}`),
      ),
  },
})

/**
 * A key of another account does not know the conversation, which may be the reason. The price of a turn is not shown:
 * one that continues may be free, or cost less than the rest.
 */
function ranUnpaid(continued: Exchange, before: Exchange, earlier: Exchange): boolean {
  const cost = used(before) ?? 0
  return (
    statusOf(continued) === 200 && cost > 0 && [earlier, continued].every((turn) => (used(turn) ?? 0) >= cost)
  )
}

/** The price of a turn is not shown: this many times the earlier price of the same message covers it. */
const ample = 10

/** A 402 although the balance is as high as when the same message was answered, and more than sufficient. */
function needless(after: Exchange, before: Exchange, usage: Exchange, dialect: Dialect): Judgement {
  const [left, cost, said] = [remaining(before), used(before), creditsIn(usage, dialect)]
  return given(status(usage, 200), () =>
    left !== null && cost !== null && said !== null && left > 0 && said >= left && left >= ample * cost
      ? fail(`status 200, as ${said} credits are left`, 'status 402', after)
      : inconclusive('`after` was answered 402, and that credits are there again is not known'),
  )
}

/** The amounts in a refusal for lack of credits; each only if present. */
function amounts(exchange: Exchange): { credits_required?: unknown; credits_remaining?: unknown } {
  const { credits_required, credits_remaining } = object(exchange) ?? {}
  return {
    ...(known(credits_required) && { credits_required }),
    ...(known(credits_remaining) && { credits_remaining }),
  }
}

const known = (value: unknown): boolean => value !== undefined && value !== null

function short(exchange: Exchange): Judgement {
  const { credits_required, credits_remaining } = amounts(exchange)
  const [required, remaining] = [amountOf(credits_required), amountOf(credits_remaining)]
  if (required === null || remaining === null) return notApplicable('the refusal does not have both amounts')
  const got = `${remaining} left, ${required} required`
  return check(remaining <= required, 'no more left than required', got, exchange)
}

/** Everything that looks like a code; some may be the id of the request. */
const chatCodesOf = (exchange: Exchange): string =>
  codesOf(exchange)
    .filter((code) => Object.hasOwn(chatErrors, code))
    .join(' ')

/** Two consecutive refusals report the same balance. */
function untouched(first: Exchange, second: Exchange): Judgement {
  const [before, after] = [first, second].map((one) => amountOf(amounts(one).credits_remaining))
  if (before === null || before === undefined || after === null || after === undefined)
    return notApplicable('the refusals have no balance')
  if (after > before)
    return inconclusive(`credits were added: ${before} were left before, and ${after} after`)
  return check(before === after, `${before} credits left`, `${after} left`, second)
}
