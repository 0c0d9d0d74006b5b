/** Authorization of requests that carry more than a message. */
import { scenario } from '../../scenario/scenario.ts'
import { refused } from '../../assertions/answer.ts'
import { given } from '../../scenario/expect.ts'
import { confirmed, replied } from '../../assertions/turn.ts'
import { flowOf, pressing } from '../turns/workflow-steps.ts'

export const pressedAway = scenario({
  title: 'a key restricted to one agent presses no button of another',
  exchanges: ['opening', 'away', 'genuine'],
  needs: { states: ['workflow.current'], others: { restricted: { kind: 'restricted' } }, extra: true },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    if (t.agentOf('restricted') === t.agent) t.stop('the restricted key may call the agent of the Workflow')
    const flow = flowOf(t, await t.chat('opening', { message: t.message }))
    await t.chat('away', { ...pressing(t, flow), as: 'restricted' })
    await t.chat('genuine', pressing(t, flow))
  },
  judge: {
    // A button can be pressed once: if the restricted key pressed it, the other key cannot.
    'AUTH-AGENT-SCOPE': ({ opening, away, genuine }) =>
      given(replied(opening), () => confirmed(refused(away), replied(genuine))),
  },
})
