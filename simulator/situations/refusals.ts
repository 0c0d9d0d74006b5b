/** Situations in which a turn is refused, whatever its message. */
import type { KeyRole } from '../tenant/fixtures.ts'
import { setupRequest } from './setup-request.ts'
import type { SituationDefinition, SituationTable } from './definition.ts'
import { controlStep, freshKey, step, turn } from './steps.ts'

type Refusals = 'idempotency-conflict' | 'revoked-key' | 'missing-scope' | 'plan-forbids'

interface KeyRefusal {
  readonly title: string
  readonly shows: string
  readonly role: KeyRole
  readonly does: string
  readonly status: 401 | 403
}

/** A turn with a key that may not call the agent, then with one that may. */
const refusedKey = ({
  title,
  shows,
  role,
  does,
  status,
}: KeyRefusal): SituationDefinition<'revoked-key'> & SituationDefinition<'missing-scope'> => ({
  title,
  shows,
  set(tenant) {
    const [agent, message] = [tenant.agents.plain, 'May I?']
    const base = { apiKey: tenant.keys[role], agent, message, idempotencyKey: freshKey(tenant, 'key') }
    const steps = [
      step(turn(base), { does, status, shows: 'error' }),
      step(turn({ ...base, apiKey: tenant.keys.main }), {
        does: 'Another key of the account is accepted.',
        status: 200,
        shows: 'You said: May I?',
      }),
    ]
    return { ...base, steps }
  },
})

export const refusalSituations: Pick<SituationTable, Refusals> = {
  'idempotency-conflict': {
    title: 'An idempotency key is used again for another message',
    shows: 'the second message is refused and does not run; the first request is still a replay',
    async set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'One coffee.']
      const base = {
        apiKey: tenant.keys.main,
        agent,
        message,
        idempotencyKey: freshKey(tenant, 'conflict'),
      }
      await setupRequest(tenant, turn(base))
      const steps = [
        step(turn({ ...base, message: 'Two coffees.' }), {
          does: 'Another message with the same key is refused.',
          status: 409,
          shows: 'IDEMPOTENCY_CONFLICT',
        }),
        step(turn(base), {
          does: 'The first message with this key is a replay.',
          status: 200,
          shows: `${tenant.identifiers.replayHeader}: true`,
        }),
        step(turn({ ...base, message: 'Two coffees.', idempotencyKey: `${base.idempotencyKey}-2` }), {
          does: 'The other message with a key of its own runs.',
          status: 200,
          shows: 'You said: Two coffees.',
        }),
      ]
      return { ...base, steps }
    },
  },
  'revoked-key': refusedKey({
    title: 'The API key was revoked',
    shows: 'requests are refused until the client has another key: do not retry',
    role: 'revoked',
    does: 'The request is refused.',
    status: 401,
  }),
  'missing-scope': refusedKey({
    title: 'The API key lacks the scope `chat`',
    shows: 'the key is valid, but must not be used for chat: do not retry',
    role: 'noChat',
    does: 'The request is refused.',
    status: 403,
  }),
  'plan-forbids': {
    title: 'The plan of the account does not allow the agent',
    shows: 'requests are refused until the plan allows the agent',
    set(tenant) {
      const [agent, message] = [tenant.agents.forbidden, 'May I?']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'plan') }
      tenant.setAllowed(agent, false)
      const steps = [
        step(turn(base), { does: 'The request is refused.', status: 403, shows: 'error' }),
        step(controlStep(tenant, 'PATCH', `/agents/${agent}`, { allowed: true }), {
          does: 'The plan is changed.',
          status: 200,
          shows: '"allowed":true',
        }),
        step(turn(base), {
          does: 'The same request with the same key succeeds.',
          status: 200,
          shows: 'You said: May I?',
        }),
      ]
      return { ...base, steps }
    },
  },
}
