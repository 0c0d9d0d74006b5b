/** A scenario of one request, for tests of what happens around it. */
import { status } from '../assertions/answer.ts'
import { scenario, type AnyScenario, type Needs, type Scenario } from './scenario.ts'

export function planned(needs: Needs, change: Partial<Pick<Scenario<'one'>, 'run'>> = {}): AnyScenario {
  return scenario<'one'>({
    title: 'one',
    exchanges: ['one'],
    needs,
    cost: { requests: 1, turns: 1 },
    run: async (t) => void (await t.chat('one')),
    judge: { 'RES-JSON': ({ one }) => status(one, 200, 402) },
    ...change,
  })
}
