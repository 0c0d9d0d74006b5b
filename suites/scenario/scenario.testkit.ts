/** A scenario of one request, for tests of what happens around it, and the verdict of a rule, for tests of rules. */
import { status } from '../assertions/answer.ts'
import type { Exchange } from '../wire/exchange.ts'
import { ScenarioEnded } from './ending.ts'
import { scenario, type AnyScenario, type Judgement, type Needs, type Scenario } from './scenario.ts'

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

/** Its judgement of a whole run in a word; `never seen` of a run that has nothing to judge. */
export function verdictOf(rule: AnyScenario | undefined, clause: string, all: readonly Exchange[]): string {
  const judges = rule?.judge as unknown as Readonly<
    Record<string, (named: object, context: object) => Judgement>
  >
  try {
    return judges[clause]?.({ all }, { dialect: {}, notes: {} }).is ?? 'no judge'
  } catch (thrown) {
    if (thrown instanceof ScenarioEnded) return 'never seen'
    throw thrown
  }
}
