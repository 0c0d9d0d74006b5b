/** Authorization outside chat: without a key, with an invalid one, and with one of another account. */
import type { ReadRequest } from '../../scenario/operations-driver.ts'
import { scenario, type Judge, type Driver } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { lists, showsSomething } from '../assertions/billing.ts'
import { all, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import { isGoing, openToo, reaches, refusedExecution } from '../assertions/receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { discovered, discoverOwn, mustBeListed } from './discovered.ts'

type RouteNames = 'list' | 'executed' | 'routes[]' | 'execution'

/** One route of each kind; strangers must not learn whether a task or an approval with this id exists. */
const paths = (id: string): readonly string[] => [
  '/api/v1/operations',
  `/api/v1/tasks/${id}`,
  `/api/v1/approvals/${id}`,
  '/api/v1/billing/usage',
]

/** Every route that shows something with the valid key, then all of them with `credentials`. */
async function sendToRoutes(t: Driver<RouteNames>, credentials: ReadRequest): Promise<void> {
  mustBeListed(t, await discovered(t, 'list'), t.operation)
  await t.execute('executed', t.operation)
  for (const path of [
    ...paths(t.uuid()),
    ...Object.values(t.dialect.routes ?? {}).filter((one) => one.startsWith('/')),
  ])
    await t.readMore('routes', path, credentials)
  await t.execute('execution', t.operation, credentials)
}

const closed: Judge<RouteNames> = ({ list, executed, routes, execution }) =>
  given(answersJson(list), () =>
    given(isGoing(executed) ? { is: 'pass' } : reaches(executed, 'completed'), () =>
      every([...routes, execution], (route) =>
        isMadeUp(route) ? status(route, 401, 404) : status(route, 401),
      ),
    ),
  )

/** No such task or approval exists: it may be looked up before the key is checked. */
const isMadeUp = ({ request: { path } }: Exchange): boolean => /^\/api\/v1\/(?:tasks|approvals)\//.test(path)

const needs = { operation: { receipt: 'completed', write: false } } as const
const exchanges = ['list', 'executed', 'routes[]', 'execution'] as const
/** Four routes, as many more as may be declared, and a search for the envelope. */
const cost = { requests: 14, turns: 0 }

export const noKey = scenario({
  title: 'every route of operations and billing requires a key',
  exchanges,
  needs,
  cost,
  profile: 'smoke',
  run: (t) => sendToRoutes(t, { as: null }),
  judge: { 'SCOPE-NO-KEY': closed },
})

export const unknownKey = scenario({
  title: 'every route of operations and billing refuses an invalid key',
  exchanges,
  needs,
  cost,
  profile: 'smoke',
  run: (t) => sendToRoutes(t, { as: null, headers: [['Authorization', `Bearer sk-${t.uuid()}`]] }),
  judge: { 'SCOPE-UNKNOWN-KEY': closed },
})

export const revokedKey = scenario({
  title: 'every route of operations and billing refuses a revoked key',
  exchanges,
  needs: { ...needs, others: { revoked: { kind: 'revoked' } }, extra: true },
  cost,
  run: (t) => sendToRoutes(t, { as: 'revoked' }),
  judge: { 'SCOPE-UNKNOWN-KEY': closed },
})

export const readAgents = scenario({
  title: 'agents are listed for a key with read_agents alone',
  exchanges: ['shown', 'poor'],
  needs: {
    shows: ['agents'],
    principal: { with: ['read_agents'] },
    others: { poor: { without: ['read_agents'] } },
  },
  cost: { requests: 5, turns: 0 },
  async run(t) {
    await t.show('shown', 'agents')
    await t.show('poor', 'agents', { as: 'poor' })
  },
  judge: {
    'SCOPE-READ-AGENTS': ({ shown, poor }, { dialect }) => {
      const judged = refusedExecution(poor, 'a list of agents without read_agents')
      return judged.is === 'pass' ? given(lists(shown, 'agents', dialect), () => judged) : judged
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

export const agentsForTheirScope = scenario({
  title: 'agents are listed for a key with read_agents that lacks other scopes',
  exchanges: ['shown', 'narrow'],
  needs: {
    shows: ['agents'],
    principal: { with: ['read_agents'] },
    others: { narrow: { with: ['read_agents'], without: ['agent_design_read'] } },
    extra: true,
  },
  cost: { requests: 5, turns: 0 },
  async run(t) {
    await t.show('shown', 'agents')
    await t.show('narrow', 'agents', { as: 'narrow' })
  },
  judge: {
    'SCOPE-READ-AGENTS': ({ shown, narrow }, { dialect }) =>
      given(lists(shown, 'agents', dialect), () => openToo(narrow, 'agents to be listed for read_agents')),
  },
})

const foreign = (receipt: 'accepted' | 'pending_approval', kind: 'task' | 'approval') =>
  scenario({
    title: `the ${kind} of an account cannot be read with a key of another`,
    exchanges: ['list', 'receipt', 'strangerList', 'before', 'stranger', 'own'],
    needs: { operation: { receipt }, others: { stranger: { kind: 'other-account' } } },
    cost: { requests: 9, turns: 0 },
    async run(t) {
      await discoverOwn(t, 'list')
      const answer = await t.execute('receipt', t.operation)
      const id =
        (kind === 'task' ? t.taskOf(answer) : t.approvalOf(answer)) ??
        t.stop(`no id was found in the receipt; declare \`dialect.receipt.${kind}Id\``)
      const path = `/api/v1/${kind}s/${encodeURIComponent(id)}`
      await t.discover('strangerList', { as: 'stranger' })
      // The owner reads it first: a cached response must not reach another key.
      await t.read('before', path)
      await t.read('stranger', path, { as: 'stranger' })
      await t.read('own', path)
    },
    judge: {
      'SCOPE-FOREIGN': ({ receipt: made, strangerList, stranger, own }) =>
        given(all(reaches(made, receipt), answersJson(own)), () =>
          strangerList.response?.status === 401
            ? inconclusive('the key of the other account is not valid')
            : refusedExecution(stranger, `a ${kind} of another account`),
        ),
    },
  })

export const foreignTask = foreign('accepted', 'task')
export const foreignApproval = foreign('pending_approval', 'approval')
