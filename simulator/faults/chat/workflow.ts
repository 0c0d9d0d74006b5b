/** Presentations and buttons that go wrong. */
import {
  isChatReply,
  onEvent,
  onJson,
  withoutMembers,
  withStatus,
  charging,
  sentBody,
  withBodyRule,
} from '../../modification/changes.ts'
import { offerOf } from '../../rules/chat.ts'
import type { Json } from '../../json.ts'
import { createKeyBook } from '../../tenant/keys.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** By conversation. */
const presented = new Map<Json, Json>()

export const workflowFaults = {
  'presentation-as-text': fault({
    title: 'A presentation comes as a text with JSON in it.',
    breaks: ['FLOW-PRESENTATION-OBJECT'],
    ...onJson((body) =>
      'presentation' in body ? { ...body, presentation: JSON.stringify(body['presentation']) } : body,
    ),
  }),
  'presentation-version-2': fault({
    title: 'A presentation has version 2.',
    breaks: ['FLOW-PRESENTATION-VERSION'],
    rules: (rules) => ({ presentation: (content) => ({ ...rules.presentation(content), version: 2 }) }),
  }),
  'button-without-node': fault({
    title: 'A button does not say which node it belongs to.',
    breaks: ['FLOW-BUTTON-COPYABLE'],
    rules: (rules) => ({
      interactionMembers: (button) => withoutMembers(rules.interactionMembers(button), 'nodeId'),
    }),
  }),
  'streamed-presentation-lost': fault({
    title: 'done of a Workflow turn has no presentation.',
    breaks: ['FLOW-STREAM-PRESENTATION'],
    ...onEvent('done', (event) => withoutMembers(event, 'presentation')),
  }),
  'current-button-stale': fault({
    title: 'Every button counts as superseded.',
    breaks: ['FLOW-PRESS-STATUS', 'FLOW-PRESS-STREAM'],
    rules: (rules) => ({
      buttonState: (known) => (rules.buttonState(known) === 'current' ? 'superseded' : known),
    }),
  }),
  'presentation-lingers': fault({
    title: 'A streamed text presents once more what its conversation presented first.',
    breaks: ['FLOW-PRESS-STATUS'],
    ...onEvent('done', (event, { interaction }) => {
      const { conversation_id: id = null, presentation } = event
      const first = presented.get(id)
      if (presentation !== undefined && first === undefined) presented.set(id, presentation)
      return interaction || first === undefined ? event : { ...event, presentation: first }
    }),
  }),
  'press-never-streamed': fault({
    title: 'A button cannot be pressed with a streamed turn.',
    breaks: ['FLOW-PRESS-STREAM', 'PAUSE-INTERACTION-STATUS', 'PAUSE-INTERACTION-CODE'],
    rules: withBodyRule('interaction-object', ({ interaction, stream }) => {
      if (interaction === undefined) return null
      if (typeof interaction !== 'object' || interaction === null || Array.isArray(interaction))
        return 'interaction must be an object.'
      return stream === true ? 'An interaction cannot be streamed.' : null
    }),
  }),
  'stale-button-accepted': fault({
    title: 'A superseded button can still be pressed.',
    breaks: ['FLOW-STALE-STATUS', 'FLOW-STALE-CODE'],
    rules: (rules) => ({
      buttonState: (known) => (known === 'superseded' ? 'current' : rules.buttonState(known)),
    }),
  }),
  'stale-as-410': fault({
    title: 'A superseded button is answered 410.',
    breaks: ['FLOW-STALE-STATUS', 'FLOW-STALE-CODE'],
    ...withStatus(410, 'WORKFLOW_INTERACTION_STALE'),
  }),
  'presentation-supersedes-others': fault({
    title: 'A presentation supersedes the buttons of every other conversation of its agent.',
    breaks: ['FLOW-PRESS-STATUS', 'FLOW-STALE-UNCHANGED'],
    reply(reply, _call, { conversations }) {
      if (!isChatReply(reply) || !reply.body['presentation'] || reply.about.replay) return reply
      for (const one of conversations.values())
        if (one.agent === reply.about.agentId && one.id !== reply.body['conversation_id']) one.current = 0
      return reply
    },
  }),
  'stale-press-charged': fault({
    title: 'Pressing a superseded button is charged.',
    breaks: ['FLOW-STALE-FREE'],
    ...charging('WORKFLOW_INTERACTION_STALE'),
  }),
  'forged-button-accepted': fault({
    title: 'A button that no presentation offered starts a turn.',
    breaks: ['FLOW-FORGED'],
    rules: (rules) => ({
      buttonState: (known) => (known === 'unknown' ? 'current' : rules.buttonState(known)),
    }),
  }),
  'button-pressed-elsewhere': fault({
    title: 'A button can be pressed with any agent, and its Workflow goes on where it was offered.',
    breaks: ['FLOW-FORGED'],
    rules: () => ({
      turnOf: (asked, state) => {
        const request = { ...asked.request, conversationId: null }
        const owner = [...state.agents.values()].find((agent) => offerOf(state, { ...asked, agent, request }))
        if (!owner || owner.id === asked.agent.id) return asked
        const offer = offerOf(state, { ...asked, agent: owner, request })
        return {
          ...asked,
          agent: owner,
          request: { ...request, conversationId: offer?.conversation.id ?? null },
        }
      },
    }),
  }),
  'interaction-type-ignored': fault({
    title: 'An interaction is taken for a button whatever its type says.',
    breaks: ['FLOW-FORGED-TYPE'],
    rules: (rules) => ({ bodyRules: rules.bodyRules.filter(({ name }) => name !== 'interaction-type') }),
  }),
  'press-runs-again': fault({
    title: 'A button pressed again with its key is pressed a second time.',
    breaks: ['FLOW-PRESS-REPLAY', 'FLOW-STALE-STATUS', 'FLOW-STALE-UNCHANGED'],
    rules: (rules) => {
      const pressed = new Set<string>()
      let again = false
      return {
        // Asked before all the others, and in one go with them.
        book: (state, call) => {
          const { interaction, idempotency_key: key } = sentBody(call)
          const id = interaction === undefined ? null : JSON.stringify([key, interaction])
          again = id !== null && pressed.has(id)
          if (id !== null) pressed.add(id)
          return again ? createKeyBook() : rules.book(state, call)
        },
        buttonState: (known) => (again && known === 'superseded' ? 'current' : rules.buttonState(known)),
      }
    },
  }),
} as const satisfies Record<string, Fault>
