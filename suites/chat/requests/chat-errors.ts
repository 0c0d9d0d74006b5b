/** The form of a refusal, whatever its reason. */
import { chatStatuses } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, codesOf, flatError, object, shown, status, statusOf } from '../../assertions/answer.ts'
import { all, check, every, given, notApplicable, observed, inTurn, need } from '../../scenario/expect.ts'
import { recorded, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const refusals = scenario({
  title: 'every refusal is a flat JSON error, also of a request with two defects',
  exchanges: [
    'accepted',
    'badBody',
    'noKey',
    'noAgent',
    'conflict',
    'bodyAndAgent',
    'bodyAndKey',
    'bodyTwice',
    'streamed',
  ],
  cost: { requests: 9, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const [message, key] = [t.text(30), t.key()]
    await t.chat('accepted', { message, idempotency_key: key })
    await t.chat('badBody', { message: '' })
    await t.chat('noKey', { message, as: null })
    await t.chat('noAgent', { message, agent: t.uuid() })
    await t.chat('conflict', { message: t.text(31), idempotency_key: key })
    await t.chat('bodyAndAgent', { message: '', agent: t.uuid() })
    await t.chat('bodyAndKey', { message: '', as: null })
    await t.chat('bodyTwice', { message: 42, conversation_id: 42, interaction: 42 })
    await t.chat('streamed', { message: '', stream: true })
  },
  judge: {
    'ERR-KNOWN-STATUS': ({ accepted, badBody, noKey, noAgent, conflict, streamed }) =>
      given(replied(accepted), () => every([badBody, noKey, noAgent, conflict, streamed], knownStatus)),
  },
  observe: {
    'GAP-ERROR-CODE-MEMBER': ({ accepted, conflict }) =>
      inTurn(need(replied(accepted)), need(status(conflict, 409)), () => observed(codeMembers(conflict))),
    'GAP-REFUSAL-CODES': ({ accepted, noKey, noAgent }) =>
      recorded(accepted, ['without a key', noKey], ['without an agent', noAgent]),
    'GAP-CHECK-ORDER': ({ accepted, bodyAndAgent, bodyAndKey }) =>
      recorded(accepted, ['bad body, no such agent', bodyAndAgent], ['bad body, no key', bodyAndKey]),
  },
})

/** Longer than any turn takes: a key of a request that failed is not in progress for so long. */
const overMs = 60_000

const isInProgress = (one: Exchange): boolean => codesOf(one).includes('REQUEST_IN_PROGRESS')

const failing = (state: 'server.500' | 'server.503', clause: 'ERR-500' | 'ERR-503', expected: number) =>
  scenario({
    title: `a failure with ${expected} is a flat error, and leaves its key to be sent again`,
    exchanges: ['failed', 'after', 'again[]'],
    needs: { states: [state] },
    cost: { requests: 4, turns: 4 },
    async run(t) {
      const failed = await t.chat('failed', { message: t.message })
      await t.leave(state)
      await t.chat('after', { message: t.text(30) })
      if (!isInProgress(await t.resendTo('again', failed))) return
      await t.settle(overMs)
      await t.resendTo('again', failed)
    },
    judge: {
      [clause]: ({ failed, after }: Record<'failed' | 'after', Exchange>) => failure(failed, expected, after),
      'IDEM-IN-FLIGHT-OVERLAP': ({ failed, after, again }) =>
        given(all(replied(after), status(failed, expected)), () =>
          every(again.slice(-1), (last) => {
            if ([200, 409].includes(statusOf(last)))
              return check(!isInProgress(last), 'a key that is not in progress', shown(last, 80), last)
            return notApplicable('the same request fails again')
          }),
        ),
    },
  })

export const whenBroken = failing('server.500', 'ERR-500', 500)
export const whenUnavailable = failing('server.503', 'ERR-503', 503)

const knownStatus = (one: Exchange): Judgement =>
  given(answered(one, 402, 429, 503), () =>
    check(Object.hasOwn(chatStatuses, statusOf(one)), 'a status of the table', `${statusOf(one)}`, one),
  )

function failure(failed: Exchange, expected: number, after: Exchange): Judgement {
  return given(replied(after), () => {
    const judgement = status(failed, expected)
    return judgement.is === 'pass' ? flatError(failed) : judgement
  })
}

function codeMembers(exchange: Exchange): string {
  const codes = codesOf(exchange)
  const members = Object.entries(object(exchange) ?? {}).filter(
    ([, value]) => typeof value === 'string' && codes.some((code) => value.includes(code)),
  )
  return members.map(([name]) => `\`${name}\``).join(', ') || 'no code in any top-level text'
}
