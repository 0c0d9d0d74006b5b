/** Situations in which a turn uses tools, is slow or fails. */
import {
  type SituationTable,
  advance,
  controlStep,
  readStep,
  step,
  turn,
  turnIn,
  setupRequest,
  textIn,
} from './steps.ts'
import type { Tenant } from '../tenant-handle.ts'
import type { WebhookEvent } from '../../spec/index.ts'
import type { WebhookSituation } from '../prepared.ts'

export const turnSituations: Pick<SituationTable, 'tool-and-gate' | 'slow-turn' | 'uncertain-outcome'> = {
  'tool-and-gate': {
    title: 'A turn calls two tools, and a gate changes the reply',
    shows: 'a stream has events for tools and gates; a plain response has only the reply',
    set(tenant) {
      const { base, send, match } = turnIn(
        tenant,
        'tools',
        'Where is my order, and what is my password?',
        'tools',
      )
      const reply = {
        tokens: ['Your order ', 'is on ', 'its way.'],
        actions: [{ actionName: 'find_order' }, { actionName: 'read_account', success: false }],
        gate: { decision: 'rewrite', reason: 'A password was asked for.' },
      }
      tenant.addReplyRules([{ match, reply }])
      const steps = [
        send(200, 'The stream has events for the tools and the gate before the tokens.', 'gate_triggered', {
          body: { stream: true },
        }),
        send(200, 'The same turn without a stream has only the reply.', 'Your order is on its way.', {
          nth: 2,
        }),
      ]
      return { ...base, steps }
    },
  },
  'slow-turn': {
    title: 'A turn takes longer than the timeout of its client',
    shows: 'a retry is refused while the turn is in progress, and gets the reply later',
    set(tenant) {
      const { base, send, match } = turnIn(tenant, 'slow', 'Write me a long answer.', 'slow')
      const reply = { text: 'Here is a long answer.' }
      tenant.addReplyRules([{ match, reply }])
      const { id } = tenant.barriers.hold({ at: 'before-run', key: base.idempotencyKey })
      const release = controlStep(tenant, 'POST', `/barriers/${id}/release`)
      const steps = [
        step(turn(base), null, 'The turn is held; the client times out after half a second.', '', 500),
        send(409, 'A retry is refused: the turn is in flight.', 'REQUEST_IN_PROGRESS'),
        step(release, 200, 'The turn is released and completes.', '"turns":1'),
        send(200, 'A second retry gets the reply as a replay.', `${tenant.identifiers.replayHeader}: true`),
      ]
      return { ...base, barrier: id, steps }
    },
  },
  'uncertain-outcome': {
    title: 'A turn is interrupted, and its outcome is unknown',
    shows: 'the key cannot be used again: reconcile first, and do not retry with a new key',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'plain', 'Please cancel my order.', 'uncertain')
      tenant.barriers.crash({ at: 'before-commit', key: base.idempotencyKey, times: 1 })
      const usage = readStep(base.apiKey, '/api/v1/billing/usage')
      const steps = [
        send(null, 'The connection is closed during the turn.', ''),
        send(409, 'A retry is refused and runs nothing.', 'OUTCOME_UNCERTAIN'),
        step(usage, 200, 'The credits show whether the turn ran.', 'remaining'),
      ]
      return { ...base, steps }
    },
  },
}

/** The default address of `touchstone listen`. */
const listener = 'http://localhost:4020/'

/** The header that identifies a signed-in user. */
const signedIn = ({ interpretations, sessions }: Tenant): readonly [string, string] =>
  interpretations['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]

type Registered = Omit<WebhookSituation, 'steps'>

/**
 * Registers a webhook for an event of the plain agent, which no other situation has: what they deliver would be taken
 * for its own. An earlier one of the same situation is turned off.
 */
async function registered(
  tenant: Tenant,
  name: string,
  event: WebhookEvent,
  endpoint: string,
): Promise<Registered> {
  for (const one of tenant.state.webhooks.values())
    if (one.name === name) tenant.setWebhookActive(one.id, false)
  const agent = tenant.agents.plain
  const path = `/api/agents/${agent}/webhooks`
  const body = { name, endpoint_url: endpoint, events: [event] }
  const headers = [signedIn(tenant), ['Content-Type', 'application/json']] as const
  const made = await setupRequest(tenant, { method: 'POST', path, headers, body })
  const [webhook, secret] = [textIn(made, 'id'), textIn(made, 'secret_key')]
  return { apiKey: tenant.keys.main, agent, webhook, secret, endpoint, event }
}

const payload = { id: 'id_1001' }

const emit = (tenant: Tenant, { event }: Registered, does: string) =>
  step(controlStep(tenant, 'POST', '/events', { event, payload }), 201, does, 'deliveries')

/** Other webhooks of the tenant may have deliveries, too. */
const list = (tenant: Tenant, { webhook }: Registered, does: string, shows: string) =>
  step(controlStep(tenant, 'GET', `/deliveries?webhookId=${webhook}`), 200, does, shows)

const delivered = '"state":"delivered"'

export const webhookSituations = {
  'webhook-retry': {
    title: 'An endpoint fails twice before it accepts a delivery',
    shows:
      'three attempts of one delivery with one id; start `npx touchstone listen --answer 500,500,200` first',
    async set(tenant, { endpoint = listener }) {
      const made = await registered(tenant, 'Retried', 'order.confirmed', endpoint)
      const steps = [
        emit(tenant, made, 'The event is emitted, and the first attempt is sent.'),
        advance(tenant, 'The clock is advanced past both backoffs.', 60_000),
        list(tenant, made, 'The endpoint accepts the third attempt.', delivered),
      ]
      return { ...made, steps }
    },
  },
  'duplicate-delivery': {
    title: 'A delivery is sent twice',
    shows: 'two deliveries with one id, which a receiver processes once; start `npx touchstone listen` first',
    async set(tenant, { endpoint = listener }) {
      const made = await registered(tenant, 'Duplicated', 'booking.created', endpoint)
      const [delivery = ''] = tenant.emit(made.event, { payload })
      const again = controlStep(tenant, 'POST', `/deliveries/${delivery}/again`, { sameId: true })
      const steps = [
        advance(tenant, 'The event was emitted; its delivery is sent.', 1),
        list(tenant, made, 'The endpoint accepts it.', delivered),
        step(again, 201, 'The delivery is sent again with the same id.', 'delivery'),
      ]
      return { ...made, delivery, steps }
    },
  },
  'endpoint-paused': {
    title: 'Deliveries to an endpoint are paused after failures',
    shows: 'an event of the meantime waits until the pause is over; start `npx touchstone listen` first',
    async set(tenant, { endpoint = listener }) {
      const made = await registered(tenant, 'Paused', 'booking.cancelled', endpoint)
      const { rules, webhooks, outbox } = tenant.state
      const webhook = webhooks.get(made.webhook)
      if (webhook) outbox.pause(webhook)
      const steps = [
        emit(tenant, made, 'The event is emitted during the pause.'),
        list(tenant, made, 'The delivery waits.', '"attempts":[]'),
        advance(tenant, 'The clock is advanced past the pause.', rules.endpointPause.ms),
        list(tenant, made, 'The endpoint accepts the delivery.', delivered),
      ]
      return { ...made, steps }
    },
  },
  'webhook-off': {
    title: 'A webhook was turned off in the dashboard',
    shows: 'events are not delivered, and not later either',
    async set(tenant, { endpoint = listener }) {
      const made = await registered(tenant, 'Off', 'booking.rescheduled', endpoint)
      tenant.setWebhookActive(made.webhook, false)
      const path = `/api/agents/${made.agent}/webhooks`
      const listed = { method: 'GET', path, headers: [signedIn(tenant)], body: null } as const
      const steps = [
        step(listed, 200, 'The webhook is listed as inactive.', '"is_active":false'),
        emit(tenant, made, 'The event is emitted.'),
        list(tenant, made, 'The webhook has no delivery.', '"deliveries":[]'),
      ]
      return { ...made, steps }
    },
  },
} satisfies Partial<SituationTable>
