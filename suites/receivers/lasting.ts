/** What a receiver still does after everything else. */
import { stillAccepts } from './answers.ts'
import { receiverScenario } from './receiver-scenario.ts'

export const stands = receiverScenario({
  title: 'a receiver goes on after the deliveries that it accepts',
  exchanges: ['after[]'],
  requests: 2,
  isLast: true,
  // The end that comes of the first is seen with the second.
  async deliver(t) {
    await t.deliverMore('after', t.genuine())
    await t.deliverMore('after', t.genuine())
  },
  judge: { 'RECV-GENUINE': ({ after }, { notes }) => stillAccepts(after, () => [], notes) },
})
