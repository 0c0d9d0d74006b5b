/** Billing reads of every account with a key, and by keys for one agent. */
import { scenario, type Context, type PrincipalNeed } from '../../scenario/scenario.ts'
import { ifSubscribed, planUnchanged, showsSomething } from '../assertions/billing.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { all, given, inconclusive } from '../../scenario/expect.ts'
import { refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import { hasCredits } from '../../chat/assertions/usage.ts'
import type { Exchange } from '../../wire/exchange.ts'

const elsewhere: PrincipalNeed = { kind: 'other-account', with: ['billing_read'] }
const usagePath = '/api/v1/billing/usage'

interface Shown {
  usage: Exchange
  before: Exchange
}

/** What an account on another plan, in another state, or without credits shows as well. */
const showsUsage = {
  'BILL-USAGE-CREDITS': ({ usage }: Pick<Shown, 'usage'>, { dialect }: Context) =>
    given(answersJson(usage), () => hasCredits(usage, dialect)),
}
const showsPlan = {
  // The account may have no subscription, but a shown one has to be complete.
  'BILL-SUBSCRIPTION': ({ before }: Pick<Shown, 'before'>, { dialect }: Context) =>
    given(showsSomething(before), () => ifSubscribed(before, dialect)),
}

export const usage = scenario({
  title: 'a second account shows its credits',
  exchanges: ['usage'],
  needs: { others: { second: elsewhere }, extra: true },
  cost: { requests: 1, turns: 0 },
  run: async (t) => void (await t.read('usage', usagePath, { as: 'second' })),
  judge: showsUsage,
})

export const second = scenario({
  title: 'a second account shows its plan, which listing the plans does not change',
  exchanges: ['before', 'plans', 'after'],
  needs: { others: { second: elsewhere }, shows: ['subscription', 'plans'], extra: true },
  cost: { requests: 4, turns: 0 },
  async run(t) {
    await t.show('before', 'subscription', { as: 'second' })
    await t.show('plans', 'plans', { as: 'second' })
    await t.show('after', 'subscription', { as: 'second' })
  },
  judge: {
    ...showsPlan,
    'BILL-NO-CHANGE': ({ before, plans, after }, { dialect }) =>
      given(showsSomething(plans), () => planUnchanged(before, after, dialect)),
  },
})

export const third = scenario({
  title: 'a third account shows its credits and its plan',
  exchanges: ['usage', 'before'],
  needs: { others: { second: elsewhere, third: elsewhere }, shows: ['subscription'], extra: true },
  cost: { requests: 3, turns: 0 },
  async run(t) {
    await t.read('usage', usagePath, { as: 'third' })
    await t.show('before', 'subscription', { as: 'third' })
  },
  judge: { ...showsUsage, ...showsPlan },
})

const closed = ['subscription', 'invoices'] as const

export const restricted = scenario({
  title: 'a key for one agent reads neither the subscription nor invoices without billing_read',
  exchanges: ['shown[]', 'strange[]'],
  needs: {
    principal: { with: ['billing_read'] },
    others: { restricted: { kind: 'restricted', without: ['billing_read'] } },
    shows: closed,
    extra: true,
  },
  cost: { requests: 2 * closed.length + 3, turns: 0 },
  async run(t) {
    for (const listing of closed) {
      await t.showMore('shown', listing)
      await t.showMore('strange', listing, { as: 'restricted' })
    }
  },
  judge: {
    'BILL-READS-SCOPE': ({ shown, strange }) =>
      all(
        ...strange.map((one, at) => {
          const twin = shown[at]
          const judged = refusedExecution(one, 'a billing read of a key for one agent without billing_read')
          return twin ? confirmed(judged, showsSomething(twin)) : inconclusive('it was not read')
        }),
      ),
  },
})
