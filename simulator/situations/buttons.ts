/** Situations with buttons and with paused AI replies. */
import { setupRequest, buttonIn, textIn } from './setup-request.ts'
import type { SituationTable } from './definition.ts'
import { controlStep, freshKey, step, turn } from './steps.ts'

export const buttonSituations: Pick<SituationTable, 'paused-conversation' | 'expired-button'> = {
  'paused-conversation': {
    title: 'AI replies are paused during a conversation',
    shows: 'a message is stored without a reply; a button is refused until AI replies resume',
    async set(tenant) {
      const agent = tenant.agents.paused
      const key = freshKey(tenant, 'paused')
      const base = { apiKey: tenant.keys.main, agent, message: 'Are you still there?', idempotencyKey: key }
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
      const press = (idempotencyKey: string) =>
        turn({ ...base, message: 'Track my order', idempotencyKey }, { ...here, interaction })
      const steps = [
        step(turn(base, here), {
          does: 'The message is stored without an AI reply.',
          status: 200,
          shows: 'customer_message',
        }),
        step(press(`${key}-2`), {
          does: 'A button is refused while AI replies are paused.',
          status: 409,
          shows: 'AI_REPLY_PAUSED',
        }),
        step(controlStep(tenant, 'PATCH', `/agents/${agent}`, { paused: false }), {
          does: 'AI replies are resumed.',
          status: 200,
          shows: '"paused":false',
        }),
        step(press(`${key}-3`), {
          does: 'The button is still current.',
          status: 200,
          shows: 'response',
        }),
      ]
      return { ...base, conversationId, interaction, steps }
    },
  },
  'expired-button': {
    title: 'A button of an earlier presentation has expired',
    shows: 'a button of an earlier presentation is stale; a button of the latest one continues',
    async set(tenant) {
      const key = freshKey(tenant, 'button')
      const base = {
        apiKey: tenant.keys.main,
        agent: tenant.agents.workflow,
        message: 'Show more',
        idempotencyKey: key,
      }
      const first = await setupRequest(
        tenant,
        turn({ ...base, message: 'Hello', idempotencyKey: `${key}-before` }),
      )
      const [conversationId, expired] = [textIn(first, 'conversation_id'), buttonIn(first)]
      const press = (idempotencyKey: string, interaction: typeof expired) =>
        turn({ ...base, idempotencyKey }, { conversation_id: conversationId, interaction })
      const current = buttonIn(await setupRequest(tenant, press(`${key}-then`, expired)))
      const steps = [
        step(press(key, expired), {
          does: 'The button of the first presentation was already used.',
          status: 409,
          shows: 'WORKFLOW_INTERACTION_STALE',
        }),
        step(press(`${key}-2`, current), {
          does: 'A button of the latest presentation, with a new key, continues.',
          status: 200,
          shows: 'presentation',
        }),
      ]
      return { ...base, conversationId, expired, current, steps }
    },
  },
}
