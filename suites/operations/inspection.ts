/** The one operation that the contract names: who may inspect the setup of an agent, and of which. */
import type { Judgement } from '../engine/judgement.ts'
import { scenario } from '../engine/scenario.ts'
import { letIn, listedOnlyFor } from '../judge/catalogue.ts'
import { all, given, inconclusive, pass } from '../judge/expect.ts'
import { isGoing, neverCompleted, reaches, told, turnedDown } from '../judge/receipt.ts'
import { confirmed } from '../judge/turn.ts'
import type { Exchange } from '../wire/exchange.ts'
import { discovered, mustBeListed } from './found.ts'

const id = 'agent_setup.inspect'
const designer = { with: ['agent_design_read'] } as const

export const byScope = scenario({
  title: 'only a key with agent_design_read finds the inspection, and may run it',
  exchanges: ['list', 'otherList', 'inspected', 'refused'],
  needs: { principal: designer, others: { other: { without: ['agent_design_read'] } } },
  cost: { requests: 7, turns: 0 },
  profile: 'smoke',
  async play(t) {
    const list = await discovered(t, 'list')
    await t.discover('otherList', { as: 'other' })
    mustBeListed(t, list, { id })
    const input = { agentId: t.agent }
    await t.execute('inspected', id, { input })
    await t.execute('refused', id, { input, as: 'other' })
  },
  judge: {
    'OPS-PER-KEY': ({ list, otherList }, context) => listedOnlyFor(id, list, otherList, context),
    'SCOPE-INSPECT-GRANTED': ({ inspected }) =>
      confirmed(letIn(inspected), isGoing(inspected) ? pass : inconclusive(told(inspected))),
    'SCOPE-INSPECT': ({ inspected, refused }) =>
      beside(inspected, turnedDown(refused, 'an inspection without agent_design_read')),
    'EXEC-INSPECT-AGENT': ({ inspected }) =>
      given(letIn(inspected), () => (isGoing(inspected) ? pass : reaches(inspected, 'completed'))),
  },
})

export const agentRequired = scenario({
  title: 'an inspection that names no agent does not complete',
  exchanges: ['list', 'inspected', 'bare', 'empty'],
  needs: { principal: designer },
  cost: { requests: 7, turns: 0 },
  async play(t) {
    mustBeListed(t, await discovered(t, 'list'), { id })
    await t.execute('inspected', id, { input: { agentId: t.agent } })
    await t.execute('bare', id, { input: {} })
    await t.execute('empty', id, { input: { agentId: '' } })
  },
  judge: {
    'EXEC-INSPECT-AGENT-REQUIRED': ({ inspected, bare, empty }) =>
      beside(
        inspected,
        all(
          neverCompleted(bare, 'an inspection without `agentId`'),
          neverCompleted(empty, 'an inspection with an empty `agentId`'),
        ),
      ),
  },
})

export const ofOneAgent = scenario({
  title: 'a key restricted to one agent inspects that one and no other',
  exchanges: ['list', 'own', 'away', 'free'],
  needs: { principal: designer, others: { restricted: { kind: 'restricted', with: ['agent_design_read'] } } },
  cost: { requests: 7, turns: 0 },
  async play(t) {
    mustBeListed(t, await discovered(t, 'list', { as: 'restricted' }), { id })
    await t.execute('own', id, { as: 'restricted', input: { agentId: t.agentOf('restricted') } })
    await t.execute('free', id, { input: { agentId: t.agent } })
    await t.execute('away', id, { as: 'restricted', input: { agentId: t.agent } })
  },
  judge: {
    'SCOPE-AGENT': ({ own, away, free }) =>
      beside(own, beside(free, turnedDown(away, 'an operation on another agent'))),
  },
})

/** A refusal counts only beside the twin that was begun or done; what was let in counts in any case. */
function beside(twin: Exchange, judgement: Judgement): Judgement {
  if (judgement.is !== 'pass' || isGoing(twin)) return judgement
  return given(reaches(twin, 'completed'), () => judgement)
}
