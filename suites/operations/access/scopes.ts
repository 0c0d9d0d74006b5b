/** Authorization outside chat: without a key, with an invalid one, and with one that has other scopes. */
import { scopes, type Scope } from '../../../spec/index.ts'
import { scenario, type Judgement, type PrincipalNeed } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { confirmed, refusedBeside } from '../../assertions/turn.ts'
import { hasCredits } from '../../chat/assertions/usage.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { lists, showsSomething } from '../assertions/billing.ts'
import { all, every, given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import { isGoing, openToo, reaches, refusedExecution } from '../assertions/receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { discovered, listPath, mustBeListed } from './discovered.ts'

const usagePath = '/api/v1/billing/usage'

/** Nobody may learn whether a task or an approval with this id exists. */
const madeUp = (id: string): readonly string[] => [`/api/v1/tasks/${id}`, `/api/v1/approvals/${id}`]

/** No such task or approval exists: it may be looked up before the key is checked. */
const isMadeUp = ({ request: { path } }: Exchange): boolean => /^\/api\/v1\/(?:tasks|approvals)\//.test(path)

/** Refused at every route, where a valid key was shown the list, and executes. */
function closed(executed: Exchange, routes: readonly Exchange[]): Judgement {
  return given(isGoing(executed) ? pass : reaches(executed, 'completed'), () =>
    every(routes, (route) => (isMadeUp(route) ? status(route, 401, 404) : status(route, 401))),
  )
}

export const noKey = scenario({
  title: 'every route of operations and billing refuses a missing, an invalid and a revoked key',
  exchanges: ['list', 'executed', 'keyless[]', 'unknown[]'],
  needs: { operation: { receipt: 'completed', write: false }, also: { revoked: { kind: 'revoked' } } },
  // Four routes, as many more as may be declared, and a search for the envelope.
  cost: { requests: 34, turns: 0 },
  async run(t) {
    mustBeListed(t, await discovered(t, 'list'), t.operation)
    await t.execute('executed', t.operation)
    const shown = [listPath, usagePath]
    const declared = Object.values(t.dialect.routes ?? {}).filter((one) => one.startsWith('/'))
    const unknown = { as: null, headers: [['Authorization', `Bearer sk-${t.uuid()}`]] } as const
    for (const path of [...shown, ...madeUp(t.uuid()), ...declared]) {
      await t.readMore('keyless', path, { as: null })
      await t.readMore('unknown', path, unknown)
    }
    await t.executeMore('keyless', t.operation, { as: null })
    await t.executeMore('unknown', t.operation, unknown)
    if (!t.has('revoked')) return
    for (const path of shown) await t.readMore('unknown', path, { as: 'revoked' })
    await t.executeMore('unknown', t.operation, { as: 'revoked' })
  },
  judge: {
    'SCOPE-NO-KEY': ({ executed, keyless }) => closed(executed, keyless),
    'SCOPE-UNKNOWN-KEY': ({ executed, unknown }) => closed(executed, unknown),
  },
})

const only = (...own: readonly Scope[]): PrincipalNeed => ({
  with: own,
  without: scopes.filter((scope) => !own.includes(scope)),
})

const agentKeys = {
  poor: { without: ['read_agents'] },
  bare: only(),
  payer: only('billing_read'),
  reader: { with: ['read_agents'], without: ['agent_design_read'] },
} as const satisfies Readonly<Record<string, PrincipalNeed>>

export const readAgents = scenario({
  title: 'agents are listed for a key with read_agents, whatever else it may do, and for no other',
  exchanges: ['shown', 'poor[]', 'reader[]'],
  needs: { shows: ['agents'], principal: { with: ['read_agents'] }, also: agentKeys },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    await t.show('shown', 'agents')
    await t.optional(['poor'], () => t.showMore('poor', 'agents', { as: 'poor' }))
    for (const as of ['bare', 'payer']) if (t.has(as)) await t.showMore('poor', 'agents', { as })
    if (t.has('reader')) await t.showMore('reader', 'agents', { as: 'reader' })
  },
  judge: {
    'SCOPE-READ-AGENTS': ({ shown, poor, reader }, { dialect }) => {
      const judged = every(poor, (one) => refusedExecution(one, 'a list of agents without read_agents'))
      if (judged.is !== 'pass') return judged
      return given(lists(shown, 'agents', dialect), () =>
        all(judged, ...reader.map((one) => openToo(one, 'agents to be listed for read_agents'))),
      )
    },
  },
  observe: {
    'GAP-AGENT-LISTING': ({ shown }, { dialect }) =>
      given(showsSomething(shown), () =>
        observed(
          dialect.routes?.agents?.startsWith('/') === false ? 'by an operation' : `at ${shown.request.path}`,
        ),
      ),
  },
})

const narrow = { bare: [], uploader: ['knowledge.write'], payer: ['billing_read'] } as const

export const narrowKeys = scenario({
  title: 'a key with one scope, or none, sends no message, and reads the usage only with billing_read',
  exchanges: ['turn', 'mute[]', 'usage', 'closed[]', 'open[]'],
  needs: {
    principal: { with: ['chat', 'billing_read'] },
    also: { bare: only(), uploader: only('knowledge.write'), payer: only('billing_read') },
    extra: true,
  },
  cost: { requests: 8, turns: 1 },
  async run(t) {
    const message = t.text(30)
    await t.chat('turn', { message })
    await t.read('usage', usagePath)
    for (const [as, own] of Object.entries(narrow)) {
      if (!t.has(as)) continue
      await t.add('mute', { message, as })
      await t.readMore(own[0] === 'billing_read' ? 'open' : 'closed', usagePath, { as })
    }
  },
  judge: {
    'AUTH-NO-CHAT': ({ turn, mute }) => forEach(mute, (one) => refusedBeside(turn, one, 403)),
    'BILL-USAGE': ({ usage, open }, { dialect }) =>
      given(all(answersJson(usage), hasCredits(usage, dialect)), () => forEach(open, answersJson)),
    'BILL-USAGE-SCOPE': ({ usage, closed: refused }) =>
      confirmed(
        forEach(refused, (one) => refusedExecution(one, 'the usage without billing_read')),
        answersJson(usage),
      ),
  },
})

/** Of the keys that the target file declares, which may have none like these. */
function forEach(sent: readonly Exchange[], judge: (one: Exchange) => Judgement): Judgement {
  return sent.length === 0 ? notApplicable('no such key is declared') : every(sent, judge)
}
