/** What the guide to a live run promises, held against the plan. */
import { expect, test } from 'vitest'
import { clauses, states, type ClauseId, type StateId } from '../spec/index.ts'
import { planRun } from '../suites/engine/plan.ts'
import { chatScenarios, undeclared, type Principal, type Provision, type Target } from '../suites/index.ts'

const key = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  bearer: `sk-${name}`,
  scopes: ['chat', 'billing_read'],
  agents: '*',
  account: 'main',
  sacrificial: false,
  ...more,
})

const none: Provision = { provide: 'none', why: 'not on a live service' }
const live: Target = {
  ...undeclared,
  name: 'live',
  kind: 'production',
  baseUrl: 'https://live.example',
  agents: { plain: 'plain', second: 'second' },
  principals: [
    key('main'),
    key('second', { scopes: ['chat'] }),
    key('noChat', { scopes: ['billing_read'] }),
    key('oneAgent', { agents: ['second'] }),
    key('broke', { account: 'broke' }),
    key('stranger', { account: 'stranger' }),
    key('limited', { sacrificial: true }),
    key('former', { revoked: true }),
  ],
  states: {
    ...Object.fromEntries((Object.keys(states) as StateId[]).map((state) => [state, none])),
    'turn.slow': { provide: 'wire' },
    'rate.limited': { provide: 'wire' },
    'chat.paused': { provide: 'fixture', agent: 'paused' },
    'workflow.current': { provide: 'fixture', agent: 'booking' },
    'credits.exhausted': { provide: 'fixture', principal: 'broke' },
  },
}

function musts(reachable: boolean): Set<string> {
  const { stories } = planRun(chatScenarios, { ...live, profile: reachable ? 'standard' : 'exhaustive' })
  const subjects = stories
    .filter(({ outlook }) => !reachable || outlook === null)
    .flatMap((story) => story.subjects)
  return new Set(subjects.filter((id) => id in clauses && clauses[id as ClauseId].level === 'must'))
}

test('wire and fixtures alone reach more than half of the musts of chat on a production target', () => {
  expect(musts(true).size / musts(false).size).toBeGreaterThan(0.5)
})
