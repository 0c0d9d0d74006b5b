/** Two agents of one account, each with a webhook: events of one do not reach the webhook of the other. */
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Driver } from '../../scenario/scenario.ts'
import { arrivedOfOther, nearActs } from '../assertions/events.ts'
import { sampleTo, mustBeCreated, webhookBody } from '../webhook-requests.ts'

/** First attempts are immediate: by then, on the target's clock, one had reached the other endpoint too. */
const alsoMs = 15_000

/** Causes the event for one agent, once more if the other got something; returns the deliveries of each. */
async function emitToOne(t: Pick<Driver, 'emit' | 'settle'>, places: Places): Promise<number> {
  const [own, foreign] = places
  for (let act = 0; act < nearActs; act++) {
    const [before, others] = [own.count, foreign.count]
    await t.emit()
    await own.arrived(before + 1)
    await t.settle(alsoMs)
    if (foreign.count === others) return act
  }
  return nearActs
}

type Places = readonly [ReturnType<Driver['endpoint']>, ReturnType<Driver['endpoint']>]

export const delivered = scenario({
  title: 'an event of one agent reaches no webhook of another agent of the account',
  exchanges: ['own', 'other', 'arrived[]', 'elsewhere[]', 'test'],
  needs: { session: true, receiver: true, event: 'any', secondAgent: true },
  cost: { requests: 5, turns: nearActs },
  async run(t) {
    const agent = t.secondAgent
    if (t.agent === agent)
      throw notExercised(
        'state-not-provided',
        'the event happens to the second agent, and the scenario needs a further one',
      )
    const places: Places = [t.endpoint('arrived'), t.endpoint('elsewhere')]
    const [, foreign] = places
    await t.webhook('own', places[0])
    const body = webhookBody(t, { endpoint_url: foreign.url, events: [t.event] })
    const hook = mustBeCreated(t, await t.manage('other', { body, agent }))
    t.note('acts', await emitToOne(t, places))
    t.note('event', t.event)
    t.note('before', foreign.count)
    await t.manage('test', { ...sampleTo(hook), agent })
    await foreign.arrived(foreign.count + 1)
  },
  judge: {
    'EVT-OWN-AGENT': ({ own, other, arrived, elsewhere }, { notes }) =>
      arrivedOfOther({ own, other, arrived, elsewhere }, notes),
  },
})
