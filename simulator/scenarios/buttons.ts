/** Scenarios about buttons, and about AI replies that are paused. */
import { ask, buttonIn, textIn } from './ask.ts'
import type { Scenes } from './scene.ts'
import { control, freshKey, step, turn } from './steps.ts'

export const buttonScenes: Pick<Scenes, 'paused-conversation' | 'expired-button'> = {
  'paused-conversation': {
    title: 'AI replies are paused in the middle of a conversation',
    shows: 'a message is stored and gets no reply; a button is refused until AI replies go on',
    async set(tenant) {
      const agent = tenant.agents.paused
      const key = freshKey(tenant, 'paused')
      const said = { apiKey: tenant.keys.main, agent, message: 'Are you still there?', idempotencyKey: key }
      tenant.addScenarios([
        {
          match: { agent: 'paused', nth: 1 },
          reply: { text: 'How can we help?', presentation: { buttons: ['Track my order'] } },
        },
      ])
      tenant.resume(agent)
      const before = await ask(tenant, turn({ ...said, message: 'Hello', idempotencyKey: `${key}-before` }))
      tenant.pause(agent)

      const [conversationId, interaction] = [textIn(before, 'conversation_id'), buttonIn(before)]
      const here = { conversation_id: conversationId }
      const press = (idempotencyKey: string) =>
        turn({ ...said, message: 'Track my order', idempotencyKey }, { ...here, interaction })
      const steps = [
        step(turn(said, here), {
          does: 'A message is stored, and no AI reply is produced.',
          status: 200,
          shows: 'customer_message',
        }),
        step(press(`${key}-2`), {
          does: 'A button cannot be pressed meanwhile.',
          status: 409,
          shows: 'AI_REPLY_PAUSED',
        }),
        step(control(tenant, 'PATCH', `/agents/${agent}`, { paused: false }), {
          does: 'AI replies go on.',
          status: 200,
          shows: '"paused":false',
        }),
        step(press(`${key}-3`), {
          does: 'The button is still the current one.',
          status: 200,
          shows: 'response',
        }),
      ]
      return { ...said, conversationId, interaction, steps }
    },
  },
  'expired-button': {
    title: 'A conversation has gone on, and one of its buttons has expired',
    shows: 'the button of an earlier presentation is stale; one of the latest continues the turn',
    async set(tenant) {
      const key = freshKey(tenant, 'button')
      const said = {
        apiKey: tenant.keys.main,
        agent: tenant.agents.workflow,
        message: 'Show more',
        idempotencyKey: key,
      }
      const first = await ask(tenant, turn({ ...said, message: 'Hello', idempotencyKey: `${key}-before` }))
      const [conversationId, expired] = [textIn(first, 'conversation_id'), buttonIn(first)]
      const press = (idempotencyKey: string, interaction: typeof expired) =>
        turn({ ...said, idempotencyKey }, { conversation_id: conversationId, interaction })
      const current = buttonIn(await ask(tenant, press(`${key}-then`, expired)))
      const steps = [
        step(press(key, expired), {
          does: 'The button of the first presentation was pressed once already.',
          status: 409,
          shows: 'WORKFLOW_INTERACTION_STALE',
        }),
        step(press(`${key}-2`, current), {
          does: 'A button of the latest one, with a new key, continues.',
          status: 200,
          shows: 'presentation',
        }),
      ]
      return { ...said, conversationId, expired, current, steps }
    },
  },
}
