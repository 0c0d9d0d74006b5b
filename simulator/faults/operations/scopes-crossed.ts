/** One scope that stands in for another; operations that look at scopes now and then. */
import { jsonReply } from '../../edge/reply.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onAnswer, receiptBodyOf } from '../../modification/operation-changes.ts'

export const scopeCrossedFaults = {
  'inspection-paused': fault({
    title: 'An agent whose replies are paused is not inspected.',
    breaks: ['EXEC-LISTED'],
    ...onAnswer(receiptBodyOf('agent_setup.inspect', 'completed'), (reply, _call, state) =>
      state.agents.get(reply.about.agentId ?? '')?.paused
        ? jsonReply(409, { error: 'AI_REPLY_PAUSED' }, reply.about)
        : reply,
    ),
  }),
} as const satisfies Record<string, Fault>
