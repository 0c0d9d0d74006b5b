/** Situations in which a turn uses tools, is slow or fails. */
import type { SituationTable } from './definition.ts'
import { controlStep, freshKey, readStep, step, turn } from './steps.ts'

export const turnSituations: Pick<SituationTable, 'tool-and-gate' | 'slow-turn' | 'uncertain-outcome'> = {
  'tool-and-gate': {
    title: 'A turn calls two tools, and a gate changes the reply',
    shows: 'a stream has events for tools and gates; a plain response has only the reply',
    set(tenant) {
      const [agent, message] = [tenant.agents.tools, 'Where is my order, and what is my password?']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'tools') }
      const reply = {
        tokens: ['Your order ', 'is on ', 'its way.'],
        actions: [{ actionName: 'find_order' }, { actionName: 'read_account', success: false }],
        gate: { decision: 'rewrite', reason: 'A password was asked for.' },
      }
      tenant.addReplyRules([{ match: { agent, message }, reply }])
      const steps = [
        step(
          turn(base, { stream: true }),
          200,
          'The stream has events for the tools and the gate before the tokens.',
          'gate_triggered',
        ),
        step(
          turn({ ...base, idempotencyKey: `${base.idempotencyKey}-2` }),
          200,
          'The same turn without a stream has only the reply.',
          'Your order is on its way.',
        ),
      ]
      return { ...base, steps }
    },
  },
  'slow-turn': {
    title: 'A turn takes longer than the timeout of its client',
    shows: 'a retry is refused while the turn is in progress, and gets the reply later',
    set(tenant) {
      const [agent, message] = [tenant.agents.slow, 'Write me a long answer.']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'slow') }
      const reply = { text: 'Here is a long answer.' }
      tenant.addReplyRules([{ match: { agent, message }, reply }])
      const { id } = tenant.barriers.hold({ at: 'before-run', key: base.idempotencyKey })
      const steps = [
        step(turn(base), null, 'The turn is held; the client times out after half a second.', '', 500),
        step(turn(base), 409, 'A retry is refused: the turn is in flight.', 'REQUEST_IN_PROGRESS'),
        step(
          controlStep(tenant, 'POST', `/barriers/${id}/release`),
          200,
          'The turn is released and completes.',
          '"turns":1',
        ),
        step(
          turn(base),
          200,
          'A second retry gets the reply as a replay.',
          `${tenant.identifiers.replayHeader}: true`,
        ),
      ]
      return { ...base, barrier: id, steps }
    },
  },
  'uncertain-outcome': {
    title: 'A turn is interrupted, and its outcome is unknown',
    shows: 'the key cannot be used again: reconcile first, and do not retry with a new key',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'Please cancel my order.']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'uncertain') }
      tenant.barriers.crash({ at: 'before-commit', key: base.idempotencyKey, times: 1 })
      const steps = [
        step(turn(base), null, 'The connection is closed during the turn.', ''),
        step(turn(base), 409, 'A retry is refused and runs nothing.', 'OUTCOME_UNCERTAIN'),
        step(
          readStep(base.apiKey, '/api/v1/billing/usage'),
          200,
          'The credits show whether the turn ran.',
          'remaining',
        ),
      ]
      return { ...base, steps }
    },
  },
}
