/** Situations with webhook deliveries. */
import { setupRequest, textIn } from './setup-request.ts'
import type { SituationTable } from './definition.ts'
import { controlStep, step } from './steps.ts'
import type { Tenant } from '../tenant.ts'

/** The default address of `touchstone listen`. */
const listener = 'http://localhost:4020/'

/** The header that identifies a signed-in user. */
const signedIn = ({ interpretations, sessions }: Tenant): readonly [string, string] =>
  interpretations['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]

export const webhookSituations: Pick<SituationTable, 'webhook-retry'> = {
  'webhook-retry': {
    title: 'An endpoint fails twice before it accepts a delivery',
    shows: 'three attempts of one delivery with one id; the third succeeds',
    async set(tenant, { endpoint = listener }) {
      const agent = tenant.agents.plain
      const event = 'order.confirmed'
      const path = `/api/agents/${agent}/webhooks`
      const body = { name: 'Retried', endpoint_url: endpoint, events: [event] }
      const headers = [signedIn(tenant), ['Content-Type', 'application/json']] as const
      const made = await setupRequest(tenant, { method: 'POST', path, headers, body })
      const [webhook, secret] = [textIn(made, 'id'), textIn(made, 'secret_key')]
      const steps = [
        step(controlStep(tenant, 'POST', '/events', { event, payload: { orderId: 'o_1001' } }), {
          does: 'The event is emitted, and the first attempt is sent.',
          status: 201,
          shows: 'deliveries',
        }),
        step(controlStep(tenant, 'POST', '/clock/advance', { ms: 60_000 }), {
          does: 'The clock is advanced past both backoffs.',
          status: 200,
          shows: 'now',
        }),
        step(controlStep(tenant, 'GET', '/deliveries'), {
          does: 'The delivery lists its attempts.',
          status: 200,
          shows: 'attempts',
        }),
      ]
      return { apiKey: tenant.keys.main, agent, webhook, secret, endpoint, event, steps }
    },
  },
}
