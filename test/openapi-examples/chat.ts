/** By operation, status and name: how the simulator comes to give the examples of the chat route. */
import type { Answer, Caller, Provocations } from './caller.ts'

/** A streamed turn of the plain agent, which replies as given. */
function streamed({ tenant, chat }: Caller, reply: object, key?: string): Promise<Answer> {
  tenant.addReplyRules([{ match: { agent: 'plain' }, reply }])
  return chat('Where is my order?', { stream: true, ...(key === undefined ? {} : { key }) })
}

/** A button that the workflow agent offered, and the turn that presses it. */
async function press({ tenant, chat }: Caller): Promise<() => Promise<Answer>> {
  const agent = tenant.agents.workflow
  const offer = JSON.parse((await chat('Hello', { agent })).text) as {
    conversation_id: string
    presentation: { buttons: unknown[] }
  }
  const [interaction] = offer.presentation.buttons
  return () => chat('Show more', { agent, conversation_id: offer.conversation_id, interaction })
}

export const chatExamples: Provocations = {
  'sendChatMessage 200 reply': ({ tenant, chat }) => {
    const reply = { text: 'Your order left the warehouse this morning.' }
    tenant.addReplyRules([{ match: { agent: 'plain' }, reply }])
    return chat('Where is my order?')
  },
  'sendChatMessage 200 workflow': ({ tenant, chat }) => chat('Hello', { agent: tenant.agents.workflow }),
  'sendChatMessage 200 paused': ({ tenant, chat }) => chat('Hello', { agent: tenant.agents.paused }),
  'sendChatMessage 200 tokens': (caller) => streamed(caller, { tokens: ['Your order ', 'is on its way.'] }),
  'sendChatMessage 200 tool': (caller) =>
    streamed(caller, {
      tokens: ['It is on its way.'],
      actions: [{ actionName: 'find_order' }],
      gate: { decision: 'rewrite', reason: 'address removed' },
    }),
  'sendChatMessage 200 replay': async (caller) => {
    await streamed(caller, { tokens: ['It is on its way.'] }, 'order-1')
    return streamed(caller, { text: 'Not used.' }, 'order-1')
  },
  'sendChatMessage 200 failed': (caller) =>
    streamed(caller, {
      tokens: ['It is ', 'on its way.'],
      error: { afterTokens: 1, text: 'The agent stopped answering.' },
    }),
  'sendChatMessage 400 invalid': ({ chat }) => chat(''),
  'sendChatMessage 400 IDEMPOTENCY_KEY_REQUIRED': ({ chat }) => chat('Hello', { key: null }),
  'sendChatMessage 401 unknown': ({ chat }) => chat('Hello', { as: 'sk-unknown' }),
  'sendChatMessage 402 INSUFFICIENT_CREDITS': ({ tenant, chat }) => chat('Hello', { as: tenant.keys.broke }),
  'sendChatMessage 403 scope': ({ tenant, chat }) => chat('Hello', { as: tenant.keys.noChat }),
  'sendChatMessage 403 agent': ({ tenant, chat }) => chat('Hello', { as: tenant.keys.oneAgent }),
  'sendChatMessage 403 plan': ({ tenant, chat }) => chat('Hello', { agent: tenant.agents.forbidden }),
  'sendChatMessage 404 agent': ({ chat }) => chat('Hello', { agent: 'agent_unknown' }),
  'sendChatMessage 409 REQUEST_IN_PROGRESS': async ({ tenant, chat }) => {
    const barrier = tenant.barriers.hold({ at: 'before-run', key: 'order-1' })
    const first = chat('Hello', { key: 'order-1' })
    await barrier.reached()
    const second = await chat('Hello', { key: 'order-1' })
    barrier.release()
    await first
    return second
  },
  'sendChatMessage 409 IDEMPOTENCY_CONFLICT': async ({ chat }) => {
    await chat('Hello', { key: 'order-1' })
    return chat('Goodbye', { key: 'order-1' })
  },
  'sendChatMessage 409 OUTCOME_UNCERTAIN': ({ tenant, chat }) => {
    tenant.markUncertain({ key: 'order-1' })
    return chat('Hello', { key: 'order-1' })
  },
  'sendChatMessage 409 AI_REPLY_PAUSED': async (caller) => {
    const pressed = await press(caller)
    caller.tenant.pause('workflow')
    return pressed()
  },
  'sendChatMessage 409 WORKFLOW_INTERACTION_STALE': async (caller) => {
    const pressed = await press(caller)
    await pressed()
    return pressed()
  },
  'sendChatMessage 429 limited': ({ tenant, chat }) => {
    tenant.exhaustRate()
    return chat('Hello')
  },
  'sendChatMessage 500 failed': ({ tenant, chat }) => {
    tenant.fail({ status: 500 })
    return chat('Hello')
  },
  'sendChatMessage 503 unavailable': ({ tenant, chat }) => {
    tenant.fail({ status: 503 })
    return chat('Hello')
  },
}
