import { describe, expect, test } from 'vitest'
import { areas, clauses, type ClauseId } from '../../spec/index.ts'
import { planRun } from '../runner/plan/plan.ts'
import { scenario } from '../scenario/scenario.ts'
import { status } from '../assertions/answer.ts'
import { undeclared } from '../config/defaults.ts'
import type { Legacy, Target } from '../config/target.ts'
import { olderScenarios } from './index.ts'

test('every clause of the variant that a server keeps has a scenario, and no scenario judges anything else', () => {
  const rows = Object.keys(areas['older-variant']) as ClauseId[]
  const judged = Object.values(olderScenarios).flatMap(({ judge }) => Object.keys(judge))
  expect(new Set(judged)).toEqual(new Set(rows.filter((id) => clauses[id].actor === 'server')))
})

describe('the scenarios of the variant', () => {
  const plain = { name: 'plain', agent: 'agent-1', bearer: 'ak_plain' }
  const second = { name: 'second', agent: 'agent-2', bearer: 'ak_second' }
  const ordinary = scenario({
    title: 'an ordinary one',
    exchanges: ['one'],
    cost: { requests: 1, turns: 1 },
    run: async (t) => void (await t.chat('one')),
    judge: { 'RES-JSON': ({ one }) => status(one, 200) },
  })
  const planned = (legacy: Legacy | null, change: Partial<Target> = {}) => {
    const target: Target = {
      ...undeclared,
      name: 'one',
      kind: 'staging',
      baseUrl: 'http://127.0.0.1:1',
      principals: [
        { name: 'main', bearer: 'sk-main', scopes: ['chat'], agents: '*', account: 'a', sacrificial: false },
      ],
      agents: { plain: 'agent-1', second: 'agent-2' },
      features: { ...undeclared.features, legacy: 'supported' },
      legacy,
      ...change,
    }
    return planRun({ 'ordinary/one': ordinary, ...olderScenarios }, target)
      .scenarios.map(({ id }) => id)
      .filter((id) => id.startsWith('older-'))
      .sort()
  }
  const all = Object.keys(olderScenarios).sort()

  test('are not even planned where nothing is declared', () => {
    expect(planned(null)).toEqual([])
    expect(planned({ keys: [plain] }, { features: undeclared.features })).toEqual([])
    expect(planned({ keys: [second] })).toEqual([])
  })

  test('are planned as far as the keys and what is opted into go', () => {
    const costly = all.filter((id) => !id.startsWith('older-rate/'))
    expect(planned({ keys: [plain] })).toEqual(costly.filter((id) => !id.endsWith('/another-agent')))
    expect(planned({ keys: [plain, second] })).toEqual(costly)
    expect(planned({ keys: [plain, second] }, { optIn: ['costly'] })).toEqual(all)
  })
})
