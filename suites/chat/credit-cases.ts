/** Bookkeeping over turns that are not plain ones, and over an account that was empty for a while. */
import type { Judgement } from '../engine/judgement.ts'
import { scenario } from '../engine/scenario.ts'
import { refused, status, statusOf } from '../judge/answer.ts'
import { balanced, remaining, used } from '../judge/credits.ts'
import { broken, given, inconclusive, pass } from '../judge/expect.ts'
import { accepts, conversationOf, refusedBeside } from '../judge/turn.ts'
import { creditsIn } from '../judge/usage.ts'
import type { Dialect } from '../target/dialect.ts'
import type { Exchange } from '../wire/exchange.ts'

export const tools = scenario({
  title: 'a turn in which a tool ran says all that it used',
  exchanges: ['before', 'streamed', 'plain'],
  needs: { states: ['stream.tool'], exclusiveCredits: true, extra: true },
  cost: { requests: 3, turns: 3 },
  async play(t) {
    await t.chat('before', { message: t.message })
    await t.chat('streamed', { message: t.message, stream: true })
    await t.chat('plain', { message: t.message })
  },
  judge: {
    'CRED-BALANCE-STREAM': ({ before, streamed }) => balanced(before, streamed),
    'CRED-BALANCE': ({ streamed, plain }) => balanced(streamed, plain),
  },
})

export const forbidden = scenario({
  title: 'what a key may not ask for uses nothing',
  exchanges: ['first', 'away', 'next'],
  needs: { others: { restricted: { kind: 'restricted' } }, exclusiveCredits: true, extra: true },
  cost: { requests: 3, turns: 2 },
  async play(t) {
    await t.chat('first', { message: t.text(30) })
    await t.chat('away', { message: t.text(30), as: 'restricted' })
    await t.chat('next', { message: t.text(30) })
  },
  judge: {
    'CRED-REFUSAL-FREE': ({ first, away, next }) => given(refused(away), () => balanced(first, next)),
  },
})

export const refilled = scenario({
  title: 'no turn runs while no credits are left, and each does once they are there again',
  exchanges: ['before', 'earlier', 'plain', 'continued', 'usage', 'after'],
  needs: { principal: { with: ['chat', 'billing_read'] }, extra: true },
  cost: { requests: 6, turns: 3 },
  async play(t) {
    const message = t.text(30)
    const id =
      conversationOf(await t.chat('before', { message })) ?? t.stop('the first turn named no conversation')
    await t.chat('earlier', { message, conversation_id: id })
    await t.enter('credits.exhausted')
    await t.chat('plain', { message })
    await t.chat('continued', { message, conversation_id: id })
    await t.leave('credits.exhausted')
    await t.read('usage', '/api/v1/billing/usage')
    await t.chat('after', { message })
  },
  judge: {
    'CRED-EMPTY-STATUS': ({ before, earlier, plain, continued }) =>
      given(refusedBeside(before, plain, 402), () => notRun(continued, before, earlier)),
    'REQ-ROUTE': ({ before, plain, usage, after }, { dialect }) =>
      given(refusedBeside(before, plain, 402), () =>
        statusOf(after) === 402 ? needless(after, before, usage, dialect) : accepts(after),
      ),
  },
})

/**
 * A key of another account does not know the conversation, which may be what it is refused for. What a turn costs is
 * not shown: one that goes on may be free, or cost less than is left.
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

/** What a turn costs is not shown: so many times what the same message used before covers it. */
const ample = 10

/** A 402 although as much is left as when the same message was answered, which was more than enough. */
function needless(after: Exchange, before: Exchange, usage: Exchange, dialect: Dialect): Judgement {
  const [left, cost, said] = [remaining(before), used(before), creditsIn(usage, dialect)]
  return given(status(usage, 200), () =>
    left !== null && cost !== null && said !== null && left > 0 && said >= left && left >= ample * cost
      ? broken(`status 200, as ${said} credits are left`, 'status 402', after)
      : inconclusive('`after` was answered 402, and that credits are there again is not known'),
  )
}
