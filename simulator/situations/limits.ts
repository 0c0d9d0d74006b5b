/** Situations with too few credits or too many requests. */
import type { SituationTable } from './definition.ts'
import { controlStep, freshKey, step, turn } from './steps.ts'

export const limitSituations: Pick<SituationTable, 'credits-running-out' | 'rate-limit'> = {
  'credits-running-out': {
    title: 'The credits cover only one more turn',
    shows: 'the next turn is refused with the credits required; a replay is free',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'How much is left?']
      const base = { apiKey: tenant.keys.broke, agent, message, idempotencyKey: freshKey(tenant, 'credits') }
      tenant.addReplyRules([{ match: { agent, message }, reply: { text: 'Not much.', credits: 2 } }])
      tenant.setCredits('broke', 3)
      const steps = [
        step(turn(base), {
          does: 'The turn costs two of three credits.',
          status: 200,
          shows: '"credits_remaining":1',
        }),
        step(turn({ ...base, idempotencyKey: `${base.idempotencyKey}-2` }), {
          does: 'Another turn costs more than the credits left.',
          status: 402,
          shows: 'INSUFFICIENT_CREDITS',
        }),
        step(turn(base), {
          does: 'The first request again is a replay and costs nothing.',
          status: 200,
          shows: '"credits_used":2',
        }),
      ]
      return { ...base, steps }
    },
  },
  'rate-limit': {
    title: 'The rate limit of this minute is used up',
    shows: 'the response says how long to wait; after that the same request succeeds',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'One more.']
      const apiKey = tenant.keys.sacrificial
      const base = { apiKey, agent, message, idempotencyKey: freshKey(tenant, 'rate') }
      tenant.exhaustRate('sacrificial')
      const steps = [
        step(turn(base), {
          does: 'The request exceeds the limit.',
          status: 429,
          shows: 'retry_after_seconds',
        }),
        step(controlStep(tenant, 'POST', '/clock/advance', { ms: 60_000 }), {
          does: 'The clock is advanced by a minute.',
          status: 200,
          shows: 'now',
        }),
        step(turn(base), {
          does: 'The same request with the same key succeeds.',
          status: 200,
          shows: 'You said: One more.',
        }),
      ]
      return { ...base, steps }
    },
  },
}
