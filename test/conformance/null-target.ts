import { states, type StateId } from '../../spec/index.ts'
import { nullDialect, nullFixtures } from './null-operations.ts'
import { nullSession } from './null-webhooks.ts'
import { undeclared, type Principal, type Provision, type Target } from '../../suites/index.ts'

const others = ['event.', 'no-event.', 'webhook.', 'approval.', 'task.', 'operation.', 'plan.without']
/** What a conversation alone does not bring about. */
const isBeyondChat = (id: StateId): boolean => others.some((start) => id.startsWith(start))
/** By whoever is there to be asked. */
const asked: Provision = { provide: 'manual', instruction: 'Make it so.', timeoutSeconds: 5 }

/** A target that declares everything, so that nothing is left out for want of a declaration. */
export function nullTarget(baseUrl: string): Target {
  const scopes = ['chat', 'read_agents', 'billing_read', 'agent_design_read', 'knowledge.write'] as const
  const principal = (name: string, change: Partial<Principal> = {}): Principal => ({
    name,
    bearer: `sk-null-${name}`,
    scopes,
    agents: '*',
    account: 'one',
    sacrificial: false,
    ...change,
  })
  const fixture: Provision = { provide: 'fixture', agent: 'agent-state', message: 'start' }
  return {
    ...undeclared,
    name: 'a server that implements nothing',
    kind: 'staging',
    baseUrl,
    principals: [
      principal('main'),
      principal('second'),
      principal('no-chat', { scopes: ['billing_read'] }),
      principal('no-billing', { scopes: ['chat'] }),
      principal('restricted', { agents: ['agent-second'] }),
      principal('other', { account: 'two' }),
      principal('broke', { account: 'three' }),
      principal('sacrificial', { sacrificial: true }),
      principal('former', { revoked: true }),
    ],
    session: { headers: [nullSession] },
    receiver: { ...undeclared.receiver, mode: 'loopback', development: true, privateNames: ['null.example'] },
    agents: { plain: 'agent-plain', second: 'agent-second' },
    fixtures: { ...undeclared.fixtures, operations: nullFixtures },
    dialect: nullDialect,
    features: { ...undeclared.features, legacy: 'supported' },
    legacy: {
      keys: [
        { name: 'plain', agent: 'agent-plain', bearer: 'ak_null-plain' },
        { name: 'second', agent: 'agent-second', bearer: 'ak_null-second' },
      ],
    },
    states: Object.fromEntries(
      (Object.keys(states) as StateId[]).map((id) => [
        id,
        id === 'rate.limited' || id === 'turn.slow'
          ? { provide: 'wire' }
          : isBeyondChat(id)
            ? asked
            : fixture,
      ]),
    ),
    budgets: { requests: 100_000, turns: 100_000, credits: 1e9, wallSeconds: 600, requestsPerMinute: 1e9 },
    optIn: ['slow', 'costly', 'destructive', 'writes'],
    profile: 'smoke',
    exclusiveCredits: true,
    // No clock to advance: waiting is asked of a control protocol that is not there, and is then skipped.
    timing: { clock: 'control', answerTimeoutMs: 20_000 },
  }
}
