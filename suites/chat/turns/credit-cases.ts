/** Charges for unusual turns, and after the credits were used up for a while. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { status, statusOf } from '../../assertions/answer.ts'
import { balanced, remaining, used } from '../../assertions/reply.ts'
import { fail, every, given, inconclusive, pass, softened } from '../../scenario/expect.ts'
import { accepts, conversationOf, refusedBeside } from '../../assertions/turn.ts'
import { creditsIn } from '../assertions/usage.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'

/**
 * The result of a tool may follow in a message that is charged separately. So the turn before is a plain one: the
 * balance after the first turn with a tool shows the charge of that turn alone.
 */
export const tools = scenario({
  title: 'a turn with a tool reports everything it used',
  exchanges: ['before', 'streamed', 'plain'],
  needs: { enters: ['stream.tool'], exclusiveCredits: true, extra: true },
  cost: { requests: 3, turns: 3 },
  async run(t) {
    await t.chat('before', { message: t.text(30) })
    await t.enter('stream.tool')
    await t.chat('streamed', { message: t.message, stream: true })
    await t.chat('plain', { message: t.message })
  },
  judge: {
    'CRED-BALANCE-STREAM': ({ before, streamed }) => balanced(before, streamed),
    'CRED-BALANCE': ({ streamed, plain }) => softened(balanced(streamed, plain)),
  },
})

/** How soon added credits count is not stated: a shortage may be cached for up to a minute. */
const [tries, minuteMs] = [4, 60_000]

export const refilled = scenario({
  title: 'no turn runs without credits, and each runs after credits were added',
  exchanges: ['before', 'earlier', 'plain', 'continued', 'usage', 'after[]'],
  needs: { enters: ['credits.exhausted'], principal: { with: ['chat', 'billing_read'] }, extra: true },
  cost: { requests: 5 + tries, turns: 2 + tries },
  async run(t) {
    const message = t.text(30)
    const id =
      conversationOf(await t.chat('before', { message })) ?? t.stop('the first turn named no conversation')
    await t.chat('earlier', { message, conversation_id: id })
    await t.enter('credits.exhausted')
    await t.chat('plain', { message })
    await t.chat('continued', { message, conversation_id: id })
    await t.leave('credits.exhausted')
    await t.read('usage', '/api/v1/billing/usage')
    for (let left = tries; left > 0; left--) {
      if (statusOf(await t.add('after', { message })) !== 402) return
      if (left > 1) await t.settle(minuteMs / (tries - 1))
    }
  },
  judge: {
    'CRED-EMPTY-STATUS': ({ before, earlier, plain, continued }) =>
      given(refusedBeside(before, plain, 402), () => notRun(continued, before, earlier)),
    'REQ-ROUTE': ({ before, earlier, plain, usage, after }, { dialect }) =>
      given(refusedBeside(before, plain, 402), () =>
        every(after.slice(-1), (last) =>
          statusOf(last) === 402 ? needless(last, earlier, usage, dialect) : accepts(last),
        ),
      ),
  },
})

/**
 * A key of another account does not know the conversation, which may be the reason. The price of a turn is not shown:
 * one that continues may be free, or cost less than the rest.
 */
function notRun(continued: Exchange, before: Exchange, earlier: Exchange): Judgement {
  if (statusOf(continued) === 402) return pass
  if (statusOf(continued) !== 200) return inconclusive(`\`continued\` was answered ${statusOf(continued)}`)
  const cost = used(before)
  const isAsDear = [earlier, continued].every((turn) => cost !== null && (used(turn) ?? 0) >= cost)
  return cost !== null && cost > 0 && isAsDear
    ? status(continued, 402)
    : inconclusive('a turn that goes on may cost less than one that begins')
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
