/** Keys with one scope, or none: each allows what its scope is for, and nothing else. */
import { scopes, type Scope } from '../../../spec/index.ts'
import { scenario, type Context, type PrincipalNeed, type Driver } from '../../scenario/scenario.ts'
import { lists } from '../assertions/billing.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { all, given } from '../../scenario/expect.ts'
import { refusedExecution } from '../assertions/receipt.ts'
import { confirmed, refusedBeside } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { hasCredits } from '../../chat/assertions/usage.ts'

const only = (...own: readonly Scope[]): PrincipalNeed => ({
  with: own,
  without: scopes.filter((scope) => !own.includes(scope)),
})

const path = '/api/v1/billing/usage'

const exchanges = ['turn', 'mute', 'usage', 'narrow'] as const
type Read = Readonly<Record<'usage' | 'narrow', Exchange>>
const principal = { with: ['chat', 'billing_read'] } as const
const cost = { requests: 4, turns: 1 }

/** Sends both requests with a key that has all scopes and with the narrow one. */
async function both(t: Driver<(typeof exchanges)[number]>): Promise<void> {
  const message = t.text(30)
  await t.chat('turn', { message })
  await t.chat('mute', { message, as: 'narrow' })
  await t.read('usage', path)
  await t.read('narrow', path, { as: 'narrow' })
}

const alone = (...own: readonly Scope[]) => {
  const pays = own.includes('billing_read')
  return scenario({
    title: `a key with ${own.join() || 'no scope'}${own.length > 0 ? ' alone' : ''} sends no message and reads ${pays ? 'the' : 'no'} usage`,
    exchanges,
    needs: { principal, others: { narrow: only(...own) }, extra: true },
    cost,
    run: both,
    judge: {
      'AUTH-NO-CHAT': ({ turn, mute }) => refusedBeside(turn, mute, 403),
      [pays ? 'BILL-USAGE' : 'BILL-USAGE-SCOPE']: ({ usage, narrow }: Read, { dialect }: Context) =>
        pays
          ? given(all(answersJson(usage), hasCredits(usage, dialect)), () => answersJson(narrow))
          : confirmed(refusedExecution(narrow, 'the usage without billing_read'), answersJson(usage)),
    },
  })
}

export const noScope = alone()
export const uploadsAlone = alone('knowledge.write')
export const billingAlone = alone('billing_read')

const agentsClosed = (own: readonly Scope[]) =>
  scenario({
    title: `no agents are listed for a key with ${own.join() || 'no scope'}`,
    exchanges: ['shown', 'narrow'],
    needs: {
      principal: { with: ['read_agents'] },
      others: { narrow: only(...own) },
      shows: ['agents'],
      extra: true,
    },
    cost: { requests: 5, turns: 0 },
    async run(t) {
      await t.show('shown', 'agents')
      await t.show('narrow', 'agents', { as: 'narrow' })
    },
    judge: {
      'SCOPE-READ-AGENTS': ({ shown, narrow }, { dialect }) =>
        confirmed(
          refusedExecution(narrow, 'a list of agents without read_agents'),
          lists(shown, 'agents', dialect),
        ),
    },
  })

export const agentsWithoutScope = agentsClosed([])
export const agentsByBilling = agentsClosed(['billing_read'])
