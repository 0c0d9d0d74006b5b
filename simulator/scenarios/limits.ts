/** Scenarios about what runs out: credits, and requests in a minute. */
import type { Scenes } from './scene.ts'
import { control, freshKey, step, turn } from './steps.ts'

export const limitScenes: Pick<Scenes, 'credits-running-out' | 'rate-limit'> = {
  'credits-running-out': {
    title: 'Credits are left for one more turn',
    shows: 'the turn after it is refused with what it would cost; a replay is free',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'How much is left?']
      const said = { apiKey: tenant.keys.broke, agent, message, idempotencyKey: freshKey(tenant, 'credits') }
      tenant.addScenarios([{ match: { agent, message }, reply: { text: 'Not much.', credits: 2 } }])
      tenant.setCredits('broke', 3)
      const steps = [
        step(turn(said), {
          does: 'The turn costs two of three credits.',
          status: 200,
          shows: '"credits_remaining":1',
        }),
        step(turn({ ...said, idempotencyKey: `${said.idempotencyKey}-2` }), {
          does: 'Another turn would cost more than is left.',
          status: 402,
          shows: 'INSUFFICIENT_CREDITS',
        }),
        step(turn(said), {
          does: 'The first one again is a replay and costs nothing.',
          status: 200,
          shows: '"credits_used":2',
        }),
      ]
      return { ...said, steps }
    },
  },
  'rate-limit': {
    title: 'The requests of this minute are used up',
    shows: 'a refused request says how long to wait, and may be sent again as it was after that',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'One more.']
      const apiKey = tenant.keys.sacrificial
      const said = { apiKey, agent, message, idempotencyKey: freshKey(tenant, 'rate') }
      tenant.exhaustRate('sacrificial')
      const steps = [
        step(turn(said), {
          does: 'The request is one too many.',
          status: 429,
          shows: 'retry_after_seconds',
        }),
        step(control(tenant, 'POST', '/clock/advance', { ms: 60_000 }), {
          does: 'A minute passes at once.',
          status: 200,
          shows: 'now',
        }),
        step(turn(said), {
          does: 'The same request, under the same key, runs.',
          status: 200,
          shows: 'You said: One more.',
        }),
      ]
      return { ...said, steps }
    },
  },
}
