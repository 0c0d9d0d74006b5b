/** Billing reads of every account with a key, and by keys for one agent. */
import { scenario, type Context, type PrincipalNeed, type Driver } from '../../scenario/scenario.ts'
import { ifSubscribed, planUnchanged, showsSomething } from '../assertions/billing.ts'
import { all, given, inconclusive } from '../../scenario/expect.ts'
import { refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

const elsewhere: PrincipalNeed = { kind: 'other-account', with: ['billing_read'] }

/** What the usage of every account shows, whoever reads it, a rule judges. */
async function readAs(t: Driver<'usage' | 'before'>, as: string): Promise<void> {
  await t.read('usage', '/api/v1/billing/usage', { as })
  await t.show('before', 'subscription', { as })
}

/** The account may have no subscription, but a shown one has to be complete. */
const shows = {
  'BILL-SUBSCRIPTION': ({ before }: { before: Exchange }, { dialect }: Context) =>
    given(showsSomething(before), () => ifSubscribed(before, dialect)),
}

export const second = scenario({
  title: 'a second account shows its plan, which listing the plans does not change',
  exchanges: ['usage', 'before', 'plans', 'after'],
  needs: { others: { second: elsewhere }, shows: ['subscription', 'plans'], extra: true },
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
  title: 'a third account shows its plan',
  exchanges: ['usage', 'before'],
  needs: { others: { second: elsewhere, third: elsewhere }, shows: ['subscription'], extra: true },
  cost: { requests: 3, turns: 0 },
  run: (t) => readAs(t, 'third'),
  judge: shows,
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
