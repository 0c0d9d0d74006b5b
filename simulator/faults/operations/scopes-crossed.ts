/** One scope that stands in for another; operations that look at scopes now and then. */
import { jsonReply } from '../../server/reply.ts'
import type { Operation } from '../../operations/operation.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onAnswer, receiptBodyOf } from '../../modification/operation-changes.ts'

const isForWriter = ({ id }: Operation, { scopes }: ApiKey): boolean =>
  id === 'agent_setup.inspect' && scopes.length === 1 && scopes.includes('knowledge.write')

export const scopeCrossedFaults = {
  'inspection-by-other-scopes': fault({
    title: 'A key with knowledge.write alone is shown the inspection, and runs it.',
    breaks: ['SCOPE-INSPECT', 'OPS-PER-KEY'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        isForWriter(operation, apiKey) || was.isListed(operation, apiKey, state),
      operationPermissions: was.operationPermissions.map((rule) => ({
        ...rule,
        objects: (apiKey, operation, ...rest) =>
          isForWriter(operation, apiKey) ? null : rule.objects(apiKey, operation, ...rest),
      })),
    }),
  }),
  'inspection-open-in-capitals': fault({
    title: 'An operation whose id comes in other letters is run without a look at the scopes.',
    breaks: ['SCOPE-INSPECT'],
    ...onAnswer(
      ({ operation, operationId = '' }, { status }) =>
        operation === 'execute' && status >= 400 && operationId !== operationId.toLowerCase(),
      ({ about }) => jsonReply(200, { status: 'completed', data: { live: null } }, about),
    ),
  }),
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
