/** The form of a refusal, whatever its reason. */
import { chatStatuses } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, codesOf, flatError, object, status } from '../../assertions/answer.ts'
import { check, every, given, observed } from '../../scenario/expect.ts'
import { recorded, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const refusals = scenario({
  title: 'every refusal is a flat JSON error',
  exchanges: ['accepted', 'badBody', 'noKey', 'noAgent', 'conflict'],
  cost: { requests: 5, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const [message, key] = [t.text(30), t.key()]
    await t.chat('accepted', { message, idempotency_key: key })
    await t.chat('badBody', { message: '' })
    await t.chat('noKey', { message, as: null })
    await t.chat('noAgent', { message, agent: t.uuid() })
    await t.chat('conflict', { message: t.text(31), idempotency_key: key })
  },
  judge: {
    'ERR-KNOWN-STATUS': ({ accepted, badBody, noKey, noAgent, conflict }) =>
      given(replied(accepted), () => every([badBody, noKey, noAgent, conflict], knownStatus)),
  },
  observe: {
    'GAP-ERROR-CODE-MEMBER': ({ accepted, conflict }) =>
      given(replied(accepted), () => given(status(conflict, 409), () => observed(codeMembers(conflict)))),
    'GAP-REFUSAL-CODES': ({ accepted, noKey, noAgent }) =>
      recorded(accepted, ['without a key', noKey], ['without an agent', noAgent]),
  },
})

export const twoDefects = scenario({
  title: 'which defect is reported when a request has two',
  exchanges: ['accepted', 'bodyAndAgent', 'bodyAndKey'],
  cost: { requests: 3, turns: 1 },
  async run(t) {
    await t.chat('accepted', { message: t.text(30) })
    await t.chat('bodyAndAgent', { message: '', agent: t.uuid() })
    await t.chat('bodyAndKey', { message: '', as: null })
  },
  judge: {},
  observe: {
    'GAP-CHECK-ORDER': ({ accepted, bodyAndAgent, bodyAndKey }) =>
      recorded(accepted, ['bad body, no such agent', bodyAndAgent], ['bad body, no key', bodyAndKey]),
  },
})

export const serverError = scenario({
  title: 'a server error is a flat error',
  exchanges: ['failed', 'after'],
  needs: { states: ['server.500'] },
  cost: { requests: 2, turns: 2 },
  async run(t) {
    await t.chat('failed', { message: t.message })
    await t.leave('server.500')
    await t.chat('after', { message: t.text(30) })
  },
  judge: {
    'ERR-500': ({ failed, after }) => failure(failed, 500, after),
  },
})

export const unavailable = scenario({
  title: 'an unavailable service returns a flat error',
  exchanges: ['failed', 'after'],
  needs: { states: ['server.503'] },
  cost: { requests: 2, turns: 2 },
  async run(t) {
    await t.chat('failed', { message: t.message })
    await t.leave('server.503')
    await t.chat('after', { message: t.text(30) })
  },
  judge: {
    'ERR-503': ({ failed, after }) => failure(failed, 503, after),
  },
})

function knownStatus(exchange: Exchange): Judgement {
  return given(answered(exchange, 402, 429, 503), () => {
    const got = String(exchange.response?.status)
    return check(Object.hasOwn(chatStatuses, got), 'a status of the table', got, exchange)
  })
}

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
