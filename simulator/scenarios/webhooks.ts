/** Scenarios about deliveries. */
import { ask, textIn } from './ask.ts'
import type { Scenes } from './scene.ts'
import { control, step } from './steps.ts'
import type { Tenant } from '../tenant.ts'

/** Where `touchstone listen` listens unless it is told otherwise. */
const listener = 'http://localhost:4020/'

/** How a signed-in user is told. */
const signedIn = ({ readings, sessions }: Tenant): readonly [string, string] =>
  readings['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]

export const webhookScenes: Pick<Scenes, 'webhook-retry'> = {
  'webhook-retry': {
    title: 'A webhook delivers to an endpoint that fails at first',
    shows: 'three attempts of one delivery under one id; the third one arrives',
    async set(tenant, { endpoint = listener }) {
      const agent = tenant.agents.plain
      const event = 'order.confirmed'
      const path = `/api/agents/${agent}/webhooks`
      const body = { name: 'Retried', endpoint_url: endpoint, events: [event] }
      const headers = [signedIn(tenant), ['Content-Type', 'application/json']] as const
      const made = await ask(tenant, { method: 'POST', path, headers, body })
      const [webhook, secret] = [textIn(made, 'id'), textIn(made, 'secret_key')]
      const steps = [
        step(control(tenant, 'POST', '/events', { event, payload: { orderId: 'o_1001' } }), {
          does: 'The event happens, and its first attempt goes out.',
          status: 201,
          shows: 'deliveries',
        }),
        step(control(tenant, 'POST', '/clock/advance', { ms: 60_000 }), {
          does: 'Both backoffs pass at once.',
          status: 200,
          shows: 'now',
        }),
        step(control(tenant, 'GET', '/deliveries'), {
          does: 'The delivery tells of its attempts.',
          status: 200,
          shows: 'attempts',
        }),
      ]
      return { apiKey: tenant.keys.main, agent, webhook, secret, endpoint, event, steps }
    },
  },
}
