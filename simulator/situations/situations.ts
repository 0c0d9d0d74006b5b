/** Situations: prepared states of a tenant, by name. The same seed prepares the same situation. */
import { suggestion } from '../../spec/nearest.ts'
import type { Tenant } from '../tenant-handle.ts'
import {
  type SituationTable,
  type SituationDefinition,
  setupRequest,
  advance,
  buttonIn,
  textIn,
  controlStep,
  step,
  turn,
  turnIn,
} from './steps.ts'
import { operationSituations, uploadSituations } from './operations.ts'
import type { PreparedSituations, SituationName, SituationOptions } from '../prepared.ts'
import { turnSituations, webhookSituations } from './turns.ts'
import type { KeyRole } from '../tenant/fixtures.ts'

/** A turn with a key that may not call the agent, then with one that may. */
const refusedKey = (
  title: string,
  shows: string,
  role: KeyRole,
  status: 401 | 403,
): SituationDefinition<'revoked-key'> & SituationDefinition<'missing-scope'> => ({
  title,
  shows,
  set(tenant) {
    const { base, send } = turnIn(tenant, 'plain', 'May I?', 'key', role)
    const steps = [
      send(status, 'The request is refused.', 'error'),
      send(200, 'Another key of the account is accepted.', 'You said: May I?', { apiKey: tenant.keys.main }),
    ]
    return { ...base, steps }
  },
})

const refusalSituations = {
  'idempotency-conflict': {
    title: 'An idempotency key is used again for another message',
    shows: 'the second message is refused and does not run; the first request is still a replay',
    async set(tenant) {
      const { base, send } = turnIn(tenant, 'plain', 'One coffee.', 'conflict')
      await setupRequest(tenant, turn(base))
      const steps = [
        send(409, 'Another message with the same key is refused.', 'IDEMPOTENCY_CONFLICT', {
          message: 'Two coffees.',
        }),
        send(200, 'The first message with this key is a replay.', `${tenant.identifiers.replayHeader}: true`),
        send(200, 'The other message with a key of its own runs.', 'You said: Two coffees.', {
          message: 'Two coffees.',
          nth: 2,
        }),
      ]
      return { ...base, steps }
    },
  },
  'revoked-key': refusedKey(
    'The API key was revoked',
    'requests are refused until the client has another key: do not retry',
    'revoked',
    401,
  ),
  'missing-scope': refusedKey(
    'The API key lacks the scope `chat`',
    'the key is valid, but must not be used for chat: do not retry',
    'noChat',
    403,
  ),
  'plan-forbids': {
    title: 'The plan of the account does not allow the agent',
    shows: 'requests are refused until the plan allows the agent',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'forbidden', 'May I?', 'plan')
      tenant.setAllowed(base.agent, false)
      const allow = controlStep(tenant, 'PATCH', `/agents/${base.agent}`, { allowed: true })
      const steps = [
        send(403, 'The request is refused.', 'error'),
        step(allow, 200, 'The plan is changed.', '"allowed":true'),
        send(200, 'The same request with the same key succeeds.', 'You said: May I?'),
      ]
      return { ...base, steps }
    },
  },
} satisfies Partial<SituationTable>

const limitSituations = {
  'credits-running-out': {
    title: 'The credits cover only one more turn',
    shows: 'the next turn is refused with the credits required; a replay is free',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'plain', 'How much is left?', 'credits', 'broke')
      tenant.setCredits('broke', 1)
      const steps = [
        send(200, 'The turn costs the last credit.', '"credits_remaining":0'),
        send(402, 'Another turn costs more than the credits left.', 'INSUFFICIENT_CREDITS', { nth: 2 }),
        send(200, 'The first request again is a replay and costs nothing.', '"credits_used":1'),
      ]
      return { ...base, steps }
    },
  },
  'rate-limit': {
    title: 'The rate limit of this minute is used up',
    shows: 'the response says how long to wait; after that the same request succeeds',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'plain', 'One more.', 'rate', 'sacrificial')
      tenant.exhaustRate('sacrificial')
      const steps = [
        send(429, 'The request exceeds the limit.', 'retry_after_seconds'),
        advance(tenant, 'The clock is advanced by a minute.', 60_000),
        send(200, 'The same request with the same key succeeds.', 'You said: One more.'),
      ]
      return { ...base, steps }
    },
  },
} satisfies Partial<SituationTable>

/** One request fails before its turn runs; the same request again succeeds. */
const failsOnce = (
  status: 500 | 503,
  title: string,
  shows: string,
  does: string,
): SituationDefinition<'server-error'> & SituationDefinition<'unavailable'> => ({
  title,
  shows,
  set(tenant) {
    const { base, send } = turnIn(tenant, 'plain', 'Are you there?', 'failure')
    tenant.fail({ status, agent: base.agent })
    const steps = [
      send(status, does, 'error'),
      send(200, 'A retry with the same key succeeds.', 'You said: Are you there?'),
    ]
    return { ...base, steps }
  },
})

const failureSituations = {
  'server-error': failsOnce(
    500,
    'The server fails with an internal error',
    'the next request fails with 500: retry with the same key',
    'The request fails.',
  ),
  unavailable: failsOnce(
    503,
    'The server is unavailable',
    'the next request fails with 503: retry later with the same key',
    'The server is unavailable.',
  ),
  'stream-error': {
    title: 'A stream ends with an error',
    shows: 'the stream starts with status 200 and ends with an error event instead of done',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'failing', 'Explain this at length.', 'stream')
      const steps = [
        send(200, 'After two tokens the stream ends with an error.', '"type":"error"', {
          body: { stream: true },
        }),
        send(200, 'Another agent is not affected.', 'You said: Explain this at length.', {
          agent: tenant.agents.plain,
          nth: 2,
        }),
      ]
      return { ...base, steps }
    },
  },
  'unknown-event': {
    title: 'A stream has an event of an unknown type',
    shows: 'a client ignores the event, and reads the reply to its end',
    set(tenant) {
      const { base, send } = turnIn(tenant, 'plain', 'What is new?', 'event')
      const insert = [{ behind: 1, event: { type: 'from_a_later_version', detail: 'ignore me' } }]
      tenant.addNetworkFaults([
        { on: { path: `/api/v1/chat/${base.agent}` }, do: { is: 'encode', as: { insert } } },
      ])
      const steps = [
        send(200, 'The second event of the stream has an unknown type.', 'from_a_later_version', {
          body: { stream: true },
        }),
        send(200, 'The replay is without it.', '"type":"done"', { body: { stream: true } }),
      ]
      return { ...base, steps }
    },
  },
} satisfies Partial<SituationTable>

const buttonSituations = {
  'paused-conversation': {
    title: 'AI replies are paused during a conversation',
    shows: 'a message is stored without a reply; a button is refused until AI replies resume',
    async set(tenant) {
      const { base, send } = turnIn(tenant, 'paused', 'Are you still there?', 'paused')
      const { agent, idempotencyKey: key } = base
      tenant.addReplyRules([
        {
          match: { agent: 'paused', nth: 1 },
          reply: { text: 'How can we help?', presentation: { buttons: ['Track my order'] } },
        },
      ])
      tenant.resume(agent)
      const before = await setupRequest(
        tenant,
        turn({ ...base, message: 'Hello', idempotencyKey: `${key}-before` }),
      )
      tenant.pause(agent)

      const [conversationId, interaction] = [textIn(before, 'conversation_id'), buttonIn(before)]
      const here = { conversation_id: conversationId }
      const resume = controlStep(tenant, 'PATCH', `/agents/${agent}`, { paused: false })
      const press = (idempotencyKey: string) =>
        turn({ ...base, message: 'Track my order', idempotencyKey }, { ...here, interaction })
      const steps = [
        send(200, 'The message is stored without an AI reply.', 'customer_message', { body: here }),
        step(press(`${key}-2`), 409, 'A button is refused while AI replies are paused.', 'AI_REPLY_PAUSED'),
        step(resume, 200, 'AI replies are resumed.', '"paused":false'),
        step(press(`${key}-3`), 200, 'The button is still current.', 'response'),
      ]
      return { ...base, conversationId, interaction, steps }
    },
  },
  'expired-button': {
    title: 'A button of an earlier presentation has expired',
    shows: 'a button of an earlier presentation is stale; a button of the latest one continues',
    async set(tenant) {
      const { base } = turnIn(tenant, 'workflow', 'Show more', 'button')
      const { idempotencyKey: key } = base
      const first = await setupRequest(
        tenant,
        turn({ ...base, message: 'Hello', idempotencyKey: `${key}-before` }),
      )
      const [conversationId, expired] = [textIn(first, 'conversation_id'), buttonIn(first)]
      const press = (idempotencyKey: string, interaction: typeof expired) =>
        turn({ ...base, idempotencyKey }, { conversation_id: conversationId, interaction })
      const current = buttonIn(await setupRequest(tenant, press(`${key}-then`, expired)))
      const steps = [
        step(
          press(key, expired),
          409,
          'The button of the first presentation was already used.',
          'WORKFLOW_INTERACTION_STALE',
        ),
        step(
          press(`${key}-2`, current),
          200,
          'A button of the latest presentation, with a new key, continues.',
          'presentation',
        ),
      ]
      return { ...base, conversationId, expired, current, steps }
    },
  },
} satisfies Partial<SituationTable>

/** In the order of the list. */
export const situations: SituationTable = {
  ...turnSituations,
  ...buttonSituations,
  ...limitSituations,
  ...refusalSituations,
  ...failureSituations,
  ...operationSituations,
  ...uploadSituations,
  ...webhookSituations,
}

export const situationNames: readonly SituationName[] = Object.keys(situations) as SituationName[]

export const isSituationName = (name: string): name is SituationName => Object.hasOwn(situations, name)

/** Throws a RangeError for an unknown situation, or if the tenant refuses a request of the setup. */
export async function prepareSituation<N extends SituationName>(
  tenant: Tenant,
  name: N,
  options: SituationOptions = {},
): Promise<PreparedSituations[N]> {
  if (!isSituationName(name))
    throw new RangeError(`unknown situation ${JSON.stringify(name)}; ${suggestion(name, situationNames)}`)
  return situations[name].set(tenant, options)
}
