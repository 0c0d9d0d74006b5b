/** Billing reads of every account with a key, and by keys for one agent. */
import { scenario, type Context, type PrincipalNeed, type Driver } from '../../scenario/scenario.ts'
import { hasSubscription, ifSubscribed, planUnchanged, showsSomething } from '../assertions/billing.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { cardless } from '../assertions/card.ts'
import { all, given, inconclusive } from '../../scenario/expect.ts'
import { refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import { hasCredits } from '../../chat/assertions/usage.ts'
import type { Listing } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'

const elsewhere: PrincipalNeed = { kind: 'other-account', with: ['billing_read'] }

interface Shown {
  usage: Exchange
  before: Exchange
}

/** What an account on another plan, in another state, or without credits shows as well. */
const shows = {
  'BILL-USAGE-CREDITS': ({ usage }: Shown, { dialect }: Context) =>
    given(answersJson(usage), () => hasCredits(usage, dialect)),
  // The account may have no subscription, but a shown one has to be complete.
  'BILL-SUBSCRIPTION': ({ before }: Shown, { dialect }: Context) =>
    given(showsSomething(before), () => ifSubscribed(before, dialect)),
  'BILL-NO-CARD': ({ before }: Shown, { dialect }: Context) =>
    cardless(before, hasSubscription(before, dialect)),
}

async function readAs(t: Driver<'usage' | 'before'>, as: string): Promise<void> {
  await t.read('usage', '/api/v1/billing/usage', { as })
  await t.show('before', 'subscription', { as })
}

export const second = scenario({
  title: 'a second account shows its credits and its plan, which listing the plans does not change',
  exchanges: ['usage', 'before', 'plans', 'after'],
  needs: { others: { second: elsewhere }, extra: true },
  cost: { requests: 5, turns: 0 },
  async run(t) {
    await readAs(t, 'second')
    await t.show('plans', 'plans', { as: 'second' })
    await t.show('after', 'subscription', { as: 'second' })
  },
  judge: {
    ...shows,
    'BILL-NO-CHANGE': ({ before, plans, after }, { dialect }) =>
      given(showsSomething(plans), () => planUnchanged(before, after, dialect)),
  },
})

export const third = scenario({
  title: 'a third account shows its credits and its plan',
  exchanges: ['usage', 'before'],
  needs: { others: { second: elsewhere, third: elsewhere }, extra: true },
  cost: { requests: 3, turns: 0 },
  run: (t) => readAs(t, 'third'),
  judge: shows,
})

const closed = ['subscription', 'invoices'] as const satisfies readonly Listing[]
type Closed = 'shown[]' | 'strange[]'

async function bothRead(t: Driver<Closed>, listing: Listing): Promise<void> {
  if (t.dialect.routes?.[listing] === undefined) return
  await t.showMore('shown', listing)
  await t.showMore('strange', listing, { as: 'restricted' })
}

export const restricted = scenario({
  title: 'a key for one agent reads neither the subscription nor invoices without billing_read',
  exchanges: ['shown[]', 'strange[]'],
  needs: {
    principal: { with: ['billing_read'] },
    others: { restricted: { kind: 'restricted', without: ['billing_read'] } },
    extra: true,
  },
  cost: { requests: 2 * closed.length + 3, turns: 0 },
  async run(t) {
    for (const listing of closed) await bothRead(t, listing)
  },
  judge: {
    'BILL-READS-SCOPE': ({ shown, strange }) =>
      strange.length === 0
        ? inconclusive('none of these reads is declared')
        : all(
            ...strange.map((one, at) => {
              const twin = shown[at]
              const judged = refusedExecution(
                one,
                'a billing read of a key for one agent without billing_read',
              )
              return twin ? confirmed(judged, showsSomething(twin)) : inconclusive('it was not read')
            }),
          ),
  },
})
