/** Bookkeeping that does not add up. */
import { toCredits } from '../../tenant/conversations.ts'
import { sentBody, asRefusal, charging, onRefusal, withStatus } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { madeUp } from './chat-crossed.ts'

export const creditsFaults = {
  'turn-refunded': fault({
    title: 'A turn gives credits instead of taking them.',
    breaks: ['CRED-NOT-NEGATIVE'],
    rules: () => ({ cost: () => -toCredits(1) }),
  }),
  'balance-rounded': fault({
    title: 'Turns cost fractions of a credit, and the balance is kept in whole ones.',
    breaks: ['CRED-BALANCE', 'CRED-BALANCE-STREAM', 'CRED-BALANCE-CONCURRENT', 'SSE-ERROR-ONE-CHARGE'],
    interpretations: { 'GAP-CREDIT-COST': 'fraction' },
    rules: () => ({ debit: (cost) => Math.ceil(cost / toCredits(1)) * toCredits(1) }),
  }),
  'streamed-turn-charged-twice': fault({
    title: 'A streamed turn is charged at its start and at its end.',
    breaks: ['CRED-BALANCE-STREAM', 'CRED-BALANCE-CONCURRENT'],
    rules: (rules) => ({
      debit: (cost, record) => rules.debit(cost, record) * (record.streamed ? 2 : 1),
    }),
  }),
  'lost-update': fault({
    title: 'Turns that run at once write back the balance that each of them read at its start.',
    breaks: ['CRED-BALANCE-CONCURRENT'],
    rules: () => ({ workMs: 20, balanceAfter: ({ atStart, debit }) => atStart - debit }),
  }),
  'invalid-body-charged': fault({
    title: 'A request with an invalid body is charged.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('INVALID_BODY'),
  }),
  'shortage-charged': fault({
    title: 'A turn that is refused for want of credits takes one of those that there are.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('INSUFFICIENT_CREDITS'),
  }),
  'no-credits-as-403': fault({
    title: 'A turn that the credits left do not cover is answered 403.',
    breaks: ['CRED-EMPTY-STATUS'],
    ...withStatus(403, 'INSUFFICIENT_CREDITS'),
  }),
  'shortage-in-words': fault({
    title: 'The amounts of a 402 are words.',
    breaks: ['CRED-EMPTY-AMOUNTS'],
    rules: () => ({ shortage: () => ({ credits_required: 'some', credits_remaining: 'none' }) }),
  }),
  'shortage-the-wrong-way': fault({
    title: 'The amounts of a 402 stand in the place of one another.',
    breaks: ['CRED-EMPTY-SHORT'],
    rules: (rules) => ({ shortage: (required, remaining) => rules.shortage(remaining, required) }),
  }),
  'forbidden-charged': fault({
    title: 'A request that its key may not make is charged.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('AGENT_OUT_OF_SCOPE'),
  }),
  'continued-on-credit': fault({
    title: 'A conversation goes on where no credits are left.',
    breaks: ['CRED-EMPTY-STATUS'],
    ...onRefusal(['INSUFFICIENT_CREDITS'], (reply, call, state) =>
      sentBody(call)['conversation_id'] === undefined
        ? reply
        : { ...reply, status: 200, body: { ...madeUp(state), credits_remaining: 0 } },
    ),
  }),
  'shortage-stays': fault({
    title: 'An account that was out of credits once is refused from then on.',
    breaks: ['REQ-ROUTE'],
    remember: () => {
      const empty = new Set<string>()
      return {
        reply: (reply, _call, state) => {
          const { account = '', code, operation } = reply.about
          if (code === 'INSUFFICIENT_CREDITS') empty.add(account)
          return operation === 'chat' && empty.has(account)
            ? asRefusal('INSUFFICIENT_CREDITS', reply, state)
            : reply
        },
      }
    },
  }),
} as const satisfies Record<string, Fault>
