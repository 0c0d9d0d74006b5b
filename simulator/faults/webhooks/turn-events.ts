/** Events of turns in which the AI sent nothing, and missing events of turns in which it did. */
import type { WebhookEvent } from '../../../spec/index.ts'
import type { Call, Reply } from '../../edge/reply.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'

/** Emits an event that did not happen, by default a sent message, with such replies of chat. */
function alsoEmits(isSo: (reply: Reply) => boolean, event: WebhookEvent = 'message.sent'): TenantHooks {
  return {
    reply(reply: Reply, { params }: Call, state: TenantState) {
      const { agentId: agent } = params
      if (reply.about.operation !== 'chat' || agent === undefined || !isSo(reply)) return reply
      const payload = state.rules.payload(event, state)
      state.outbox.emit({ event, agent, at: state.clock.date(), payload, test: false })
      return reply
    },
  }
}

export const turnEventFaults = {
  'replay-sends-tool-event': fault({
    title: 'A replay of a turn that used a tool sends tool.executed once more.',
    breaks: ['EVT-TOOL-EXECUTED'],
    ...alsoEmits(({ about }) => about.replay === true && about.agent === 'tools', 'tool.executed'),
  }),
  'stored-message-sends-event': fault({
    title: 'A message that is stored while AI replies are paused sends message.sent.',
    breaks: ['EVT-MESSAGE-SENT'],
    ...alsoEmits(({ about }) => about.paused === true && about.replay !== true),
  }),
} as const satisfies Record<string, Fault>
