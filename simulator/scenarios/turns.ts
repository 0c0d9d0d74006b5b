/** Scenarios about what happens within a turn, or to it. */
import type { Scenes } from './scene.ts'
import { control, freshKey, read, step, turn } from './steps.ts'

export const turnScenes: Pick<Scenes, 'tool-and-gate' | 'slow-turn' | 'uncertain-outcome'> = {
  'tool-and-gate': {
    title: 'A turn calls two tools, and a gate changes it',
    shows: 'the events of a stream around its tokens; without a stream only the reply is seen',
    set(tenant) {
      const [agent, message] = [tenant.agents.tools, 'Where is my order, and what is my password?']
      const said = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'tools') }
      const reply = {
        tokens: ['Your order ', 'is on ', 'its way.'],
        actions: [{ actionName: 'find_order' }, { actionName: 'read_account', success: false }],
        gate: { decision: 'rewrite', reason: 'A password was asked for.' },
      }
      tenant.addScenarios([{ match: { agent, message }, reply }])
      const steps = [
        step(turn(said, { stream: true }), {
          does: 'The stream tells of the tools and of the gate before the reply.',
          status: 200,
          shows: 'gate_triggered',
        }),
        step(turn({ ...said, idempotencyKey: `${said.idempotencyKey}-2` }), {
          does: 'The same turn without a stream.',
          status: 200,
          shows: 'Your order is on its way.',
        }),
      ]
      return { ...said, steps }
    },
  },
  'slow-turn': {
    title: 'A turn takes longer than its client waits',
    shows: 'who sends the same request again is told that it is in progress, and later gets the reply',
    set(tenant) {
      const [agent, message] = [tenant.agents.slow, 'Write me a long answer.']
      const said = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'slow') }
      const reply = { text: 'Here is a long answer.' }
      tenant.addScenarios([{ match: { agent, message }, reply }])
      const { id } = tenant.barriers.hold({ at: 'before-run', key: said.idempotencyKey })
      const steps = [
        step(turn(said), {
          does: 'The turn is held; the client gives up after half a second.',
          status: null,
          shows: '',
          patienceMs: 500,
        }),
        step(turn(said), {
          does: 'The same request again finds the turn in flight.',
          status: 409,
          shows: 'REQUEST_IN_PROGRESS',
        }),
        step(control(tenant, 'POST', `/barriers/${id}/release`), {
          does: 'The turn goes on, and ends.',
          status: 200,
          shows: '"turns":1',
        }),
        step(turn(said), {
          does: 'The same request once more gets the reply, and the turn is not run again.',
          status: 200,
          shows: `${tenant.identifiers.replayHeader}: true`,
        }),
      ]
      return { ...said, barrier: id, steps }
    },
  },
  'uncertain-outcome': {
    title: 'A turn dies, and nobody knows what came of it',
    shows: 'the key is spent: reconcile first, and take no new key for the same turn',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'Please cancel my order.']
      const said = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'doubt') }
      tenant.barriers.crash({ at: 'before-commit', key: said.idempotencyKey, times: 1 })
      const steps = [
        step(turn(said), {
          does: 'The connection drops in the middle of the turn.',
          status: null,
          shows: '',
        }),
        step(turn(said), {
          does: 'The same request again runs nothing.',
          status: 409,
          shows: 'OUTCOME_UNCERTAIN',
        }),
        step(read(said.apiKey, '/api/v1/billing/usage'), {
          does: 'What can be looked at, such as the credits, tells whether it ran.',
          status: 200,
          shows: 'remaining',
        }),
      ]
      return { ...said, steps }
    },
  },
}
