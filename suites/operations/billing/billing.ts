/** The content of billing reads, and their authorization. */
import { scenario, type PrincipalNeed } from '../../scenario/scenario.ts'
import { answersJson, outline } from '../assertions/catalogue.ts'
import {
  hasSubscription,
  ifSubscribed,
  lists,
  planUnchanged,
  showsSomething,
  withinLimit,
} from '../assertions/billing.ts'
import { followsTurns, hasCredits, lags } from '../../chat/assertions/usage.ts'
import { all, every, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { isAnotherRun } from '../../assertions/once.ts'
import { markedReplay } from '../../assertions/reply.ts'
import { fateOf, refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import { mostPolls, pollIntervals } from '../tasks/polling.ts'
import type { Exchange } from '../../wire/exchange.ts'

const payer = { with: ['billing_read'] } as const
const others = { poor: { without: ['billing_read'] } } as const
const elsewhere: PrincipalNeed = { kind: 'other-account', with: ['billing_read'] }
const usagePath = '/api/v1/billing/usage'
export const usage = scenario({
  title: 'the usage shows the remaining credits, to a key with billing_read alone',
  exchanges: ['usage', 'poor'],
  needs: { principal: payer, others },
  cost: { requests: 2, turns: 0 },
  profile: 'smoke',
  async run(t) {
    await t.read('usage', usagePath)
    await t.read('poor', usagePath, { as: 'poor' })
  },
  judge: {
    // A usage may be any JSON with the members in the contract.
    'BILL-USAGE': ({ usage }, { dialect }) => confirmed(answersJson(usage), hasCredits(usage, dialect)),
    'BILL-USAGE-SCOPE': ({ usage, poor }) =>
      confirmed(refusedExecution(poor, 'the usage without billing_read'), showsSomething(usage)),
  },
  observe: { 'GAP-USAGE-SHAPE': ({ usage }) => given(answersJson(usage), () => observed(outline(usage))) },
})

/** The seconds that a usage read may lag behind turns, unless the target file declares another value. */
const usualLag = 60

export const afterTurns = scenario({
  title: 'the usage shows the balance after the latest turn of any key',
  exchanges: ['first', 'usage', 'second', 'replay', 'later', 'looks[]'],
  needs: {
    principal: { with: ['chat', 'billing_read'] },
    also: { other: { kind: 'second-of-account' } },
    exclusiveCredits: true,
  },
  cost: { requests: 5 + mostPolls.long + 1, turns: 2 },
  async run(t) {
    await t.chat('first')
    await t.read('usage', usagePath)
    const second = await t.chat('second', { stream: true, as: t.has('other') ? 'other' : 'self' })
    // A replay is free: a usage that counts it is lower than the balance after the turn.
    await t.resend('replay', second)
    let read = await t.read('later', usagePath)
    const { lagSeconds = usualLag } = t.dialect.usage ?? {}
    // The milliseconds between reads that add up to this many seconds.
    const sum = pollIntervals.long.reduce<number>((whole, gap) => whole + gap, 0)
    for (const gap of pollIntervals.long.map((gap) => (gap * lagSeconds * 1_000) / sum)) {
      if (!lags(second, read, t.dialect)) break
      await t.settle(gap)
      read = await t.readMore('looks', usagePath)
    }
  },
  judge: {
    'BILL-USAGE-AGREES': ({ first, usage, second, replay, later, looks: more }, { dialect }) =>
      isAnotherRun(second, replay)
        ? inconclusive('the turn ran again, and what it cost is used', markedReplay(replay))
        : followsTurns(
            [
              [first, usage],
              [second, later, ...more],
            ],
            dialect,
          ),
  },
})

const listings = ['subscription', 'plans', 'invoices'] as const

/** The limits that are asked for, and those that are only recorded. */
const limits = { one: 1, five: 5, none: 0, many: 100_000 } as const

export const subscription = scenario({
  title:
    'subscription, plans and invoices are shown, to keys with billing_read alone, and no read changes a plan',
  exchanges: [...listings, 'one', 'five', 'none', 'many', 'refused[]', 'usage', 'after', 'others[]'],
  needs: {
    shows: ['subscription'],
    principal: payer,
    also: {
      ...others,
      restricted: { kind: 'restricted', without: ['billing_read'] },
      second: elsewhere,
      third: elsewhere,
    },
  },
  cost: { requests: 24, turns: 0 },
  async run(t) {
    for (const listing of listings)
      await t.optional([listing, 'refused'], async () => {
        // A refusal counts beside what the same read shows.
        if (showsSomething(await t.show(listing, listing)).is !== 'pass') return
        await t.optional(['refused'], () => t.showMore('refused', listing, { as: 'poor' }))
        if (listing === 'invoices' && t.has('restricted'))
          await t.showMore('refused', listing, { as: 'restricted' })
      })
    await t.optional(['one', 'five', 'none', 'many'], async () => {
      for (const [name, limit] of Object.entries(limits) as [keyof typeof limits, number][])
        await t.show(name, 'invoices', { limit })
    })
    await t.read('usage', usagePath)
    await t.optional(['after', 'others'], async () => {
      await t.show('after', 'subscription')
      if (!t.has('second')) return
      await t.showMore('others', 'subscription', { as: 'second' })
      await t.optional([], () => t.showMore('others', 'plans', { as: 'second' }))
      await t.showMore('others', 'subscription', { as: 'second' })
      if (!t.has('third')) return
      // What the usage of every account shows, whoever reads it, a rule judges.
      await t.readMore('others', usagePath, { as: 'third' })
      await t.showMore('others', 'subscription', { as: 'third' })
    })
  },
  judge: {
    // Another account may have no subscription, but a shown one has to be complete.
    'BILL-SUBSCRIPTION': ({ subscription, others }, { dialect }) =>
      all(
        hasSubscription(subscription, dialect),
        ...subscriptionsIn(subscription, others)
          .map((one) => ifSubscribed(one, dialect))
          .filter(({ is }) => is === 'fail'),
      ),
    'BILL-PLANS': ({ plans }, { dialect }) => lists(plans, 'plans', dialect),
    'BILL-INVOICES-LIMIT': ({ invoices, one, five }, { dialect }) => {
      const each = [withinLimit(invoices, one, 1, dialect), withinLimit(invoices, five, 5, dialect)]
      // An account with few invoices cannot show more.
      const conclusive = each.filter(({ is }) => is !== 'inconclusive')
      return conclusive.length > 0 ? all(...conclusive) : all(...each)
    },
    'BILL-READS-SCOPE': ({ refused }) =>
      every(refused, (one) => refusedExecution(one, 'a billing read without billing_read')),
    'BILL-NO-CHANGE': ({ subscription, usage, after, others }, { dialect }) =>
      given(showsSomething(usage), () => {
        const [before, later] = subscriptionsIn(subscription, others)
        const other = before && later ? planUnchanged(before, later, dialect) : pass
        return other.is === 'fail' ? other : planUnchanged(subscription, after, dialect)
      }),
  },
  observe: {
    'GAP-BILLING-ROUTES': ({ subscription: { request } }, { dialect }) =>
      observed(
        dialect.routes?.subscription?.startsWith('/') === false ? 'by an operation' : `at ${request.path}`,
      ),
    'GAP-INVOICE-LIMIT': ({ invoices, none, many }) =>
      given(showsSomething(invoices), () => observed(`0: ${wayOf(none)}; 100000: ${wayOf(many)}`)),
  },
})

/** Those of other accounts that are shown: of the second, before and after its plans were listed, first. */
function subscriptionsIn({ request }: Exchange, others: readonly Exchange[]): readonly Exchange[] {
  return others.filter((one) => one.request.path === request.path && showsSomething(one).is === 'pass')
}

function wayOf(exchange: Exchange): string {
  return showsSomething(exchange).is === 'pass' ? 'taken' : fateOf(exchange)
}
