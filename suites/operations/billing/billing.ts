/** The content of billing reads, and their authorization. */
import { scenario, type Driver, type PrincipalNeed } from '../../scenario/scenario.ts'
import { answersJson, outline } from '../assertions/catalogue.ts'
import { hasSubscription, lists, planUnchanged, showsSomething, withinLimit } from '../assertions/billing.ts'
import { followsTurns, hasCredits, lags } from '../../chat/assertions/usage.ts'
import { all, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import { isFresh } from '../../assertions/reply.ts'
import { fateOf, refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import type { Listing } from '../../config/dialect.ts'
import { mostPolls, pollIntervals } from '../tasks/polling.ts'
import type { Exchange } from '../../wire/exchange.ts'

const payer = { with: ['billing_read'] } as const
const others = { poor: { without: ['billing_read'] } } as const
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

const followingTurns = (other?: PrincipalNeed) =>
  scenario({
    title: `the usage shows the balance after the latest turn${other ? ' of any key' : ''}`,
    exchanges: ['first', 'usage', 'second', 'replay', 'later', 'looks[]'],
    needs: {
      principal: { with: ['chat', 'billing_read'] },
      exclusiveCredits: true,
      ...(other ? { others: { other }, extra: true } : {}),
    },
    cost: { requests: 5 + mostPolls.long + 1, turns: 2 },
    async run(t) {
      await t.chat('first')
      await t.read('usage', usagePath)
      const second = await t.chat('second', { stream: !other, as: other ? 'other' : 'self' })
      // A replay is free: a usage that counts it is lower than the balance after the turn.
      await t.resend('replay', second)
      let read = await t.read('later', usagePath)
      const { lagSeconds = usualLag } = t.dialect.usage ?? {}
      for (const gap of within(lagSeconds)) {
        if (!lags(second, read, t.dialect)) break
        await t.settle(gap)
        read = await t.readMore('looks', usagePath)
      }
    },
    judge: {
      'BILL-USAGE-AGREES': ({ first, usage, second, replay, later, looks: more }, { dialect }) =>
        isFresh(replay)
          ? inconclusive('the turn ran again, and what it cost is used')
          : followsTurns(
              [
                [first, usage],
                [second, later, ...more],
              ],
              dialect,
            ),
    },
  })

export const afterTurns = followingTurns()
export const afterTurnsOfOther = followingTurns({ kind: 'second-of-account' })

/** The milliseconds between reads that add up to this many seconds. */
function within(seconds: number): readonly number[] {
  const sum = pollIntervals.long.reduce<number>((whole, gap) => whole + gap, 0)
  return pollIntervals.long.map((gap) => (gap * seconds * 1_000) / sum)
}

export const subscription = scenario({
  title: 'the subscription shows its status and its plan',
  exchanges: ['shown'],
  needs: { shows: ['subscription'], principal: payer },
  cost: { requests: 4, turns: 0 },
  run: async (t) => void (await t.show('shown', 'subscription')),
  judge: {
    'BILL-SUBSCRIPTION': ({ shown }, { dialect }) => hasSubscription(shown, dialect),
  },
  observe: {
    'GAP-BILLING-ROUTES': ({ shown: { request } }, { dialect }) =>
      observed(
        dialect.routes?.subscription?.startsWith('/') === false ? 'by an operation' : `at ${request.path}`,
      ),
  },
})

export const plans = scenario({
  title: 'the plans are listed',
  exchanges: ['shown'],
  needs: { shows: ['plans'], principal: payer },
  cost: { requests: 4, turns: 0 },
  run: async (t) => void (await t.show('shown', 'plans')),
  judge: {
    'BILL-PLANS': ({ shown }, { dialect }) => lists(shown, 'plans', dialect),
  },
})

export const invoices = scenario({
  title: 'a list of invoices is no longer than asked for',
  exchanges: ['whole', 'one', 'five', 'none', 'many'],
  needs: { shows: ['invoices'], principal: payer },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    await t.show('whole', 'invoices')
    await t.show('one', 'invoices', { limit: 1 })
    await t.show('five', 'invoices', { limit: 5 })
    await t.show('none', 'invoices', { limit: 0 })
    await t.show('many', 'invoices', { limit: 100_000 })
  },
  judge: {
    'BILL-INVOICES-LIMIT': ({ whole, one, five }, { dialect }) => {
      const limited = [
        [one, 1],
        [five, 5],
      ] as const
      const each = limited.map(([list, limit]) => withinLimit(whole, list, limit, dialect))
      // An account with few invoices cannot show more.
      const conclusive = each.filter(({ is }) => is !== 'inconclusive')
      return conclusive.length > 0 ? all(...conclusive) : all(...each)
    },
  },
  observe: {
    'GAP-INVOICE-LIMIT': ({ whole, none, many }) =>
      given(showsSomething(whole), () => observed(`0: ${wayOf(none)}; 100000: ${wayOf(many)}`)),
  },
})

function wayOf(exchange: Exchange): string {
  return showsSomething(exchange).is === 'pass' ? 'taken' : fateOf(exchange)
}

const closedReads = (listing: Listing, what: string) =>
  scenario({
    title: `${what} refused to a key without billing_read`,
    exchanges: ['shown', 'poor'],
    needs: { principal: payer, others, shows: [listing] },
    cost: { requests: 5, turns: 0 },
    async run(t) {
      await t.show('shown', listing)
      await t.show('poor', listing, { as: 'poor' })
    },
    judge: {
      'BILL-READS-SCOPE': ({ shown, poor }) =>
        confirmed(refusedExecution(poor, `${listing} without billing_read`), showsSomething(shown)),
    },
  })

export const subscriptionScope = closedReads('subscription', 'the subscription is')
export const plansScope = closedReads('plans', 'the plans are')
export const invoicesScope = closedReads('invoices', 'the invoices are')

const alsoRead = ['plans', 'invoices'] as const

/** Whether the target file declares where it is read: otherwise `show` would end the scenario. */
function isDeclared<N extends string>({ dialect }: Driver<N>, listing: Listing): boolean {
  return dialect.routes?.[listing] !== undefined
}

export const noChange = scenario({
  title: 'a billing read does not change the plan',
  exchanges: ['before', 'usage', 'reads[]', 'after'],
  needs: { shows: ['subscription'], principal: payer },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    await t.show('before', 'subscription')
    await t.read('usage', usagePath)
    for (const listing of alsoRead) if (isDeclared(t, listing)) await t.showMore('reads', listing)
    await t.show('after', 'subscription')
  },
  judge: {
    'BILL-NO-CHANGE': ({ before, usage, reads, after }, { dialect }) =>
      given(every([usage, ...reads], showsSomething), () => planUnchanged(before, after, dialect)),
  },
})
