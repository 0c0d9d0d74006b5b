/** Routes of operations and settings that are open to those who may not, or closed to those who may. */
import { headerValues, jsonReply } from '../../edge/reply.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { forbidding, onAnswer, unguarded, receiptBodyOf } from '../../modification/operation-changes.ts'

const isKeyless = (call: Parameters<typeof headerValues>[0]): boolean =>
  headerValues(call, 'authorization').length === 0

export const scopeFaults = {
  'task-forbidden-without-key': fault({
    title: 'A task is forbidden for a call without a key.',
    breaks: ['SCOPE-NO-KEY'],
    ...onAnswer(
      ({ operation }, { status }, call) => operation === 'task' && status === 401 && isKeyless(call),
      (reply) => ({ ...reply, status: 403 }),
    ),
  }),
  'approval-forbidden-to-unknown-key': fault({
    title: 'A key that is not valid is forbidden to read an approval.',
    breaks: ['SCOPE-UNKNOWN-KEY'],
    ...onAnswer(
      ({ operation }, { status }, call) => operation === 'approval' && status === 401 && !isKeyless(call),
      (reply) => ({ ...reply, status: 403 }),
    ),
  }),
  'revoked-key-executes': fault({
    title: 'A key that was revoked goes on executing operations.',
    breaks: ['SCOPE-UNKNOWN-KEY'],
    rules: (was) => ({
      callerOf: (call, state) =>
        was.callerOf(call, state) ??
        state.apiKeys.get((headerValues(call, 'authorization')[0] ?? '').replace(/^Bearer /, '')) ??
        null,
    }),
  }),
  'inspection-open': fault({
    title: 'A key without agent_design_read inspects the setup of an agent.',
    breaks: ['SCOPE-INSPECT', 'OPS-UNLISTED-REFUSED'],
    rules: unguarded('scope', ({ id }) => id === 'agent_setup.inspect'),
  }),
  'inspection-closed': fault({
    title: 'The inspection is listed for a key with agent_design_read, and refused to it.',
    breaks: ['SCOPE-INSPECT-GRANTED', 'OPS-LISTED-PERMITTED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.id === 'agent_setup.inspect'
          ? apiKey.scopes.includes('agent_design_read')
          : was.isListed(operation, apiKey, state),
      ...forbidding('Nobody inspects anything.', (_apiKey, { id }) => id === 'agent_setup.inspect')(was),
    }),
  }),
  'agents-open': fault({
    title: 'A key without read_agents lists agents, which it is not shown.',
    breaks: ['SCOPE-READ-AGENTS', 'OPS-UNLISTED-REFUSED'],
    rules: unguarded('scope', ({ id }) => id === 'agents.list'),
  }),
  'operations-beyond-the-agent': fault({
    title: 'A key restricted to one agent runs operations on the others.',
    breaks: ['SCOPE-AGENT'],
    rules: unguarded('agent-scope', () => true),
  }),
  'foreign-task-shown': fault({
    title: 'A task is shown to whoever knows its id.',
    breaks: ['SCOPE-FOREIGN'],
    rules: (was) => ({
      findTask: (id, apiKey, call, state) =>
        was.findTask(id, apiKey, call, state) ?? state.operations.tasks.get(id) ?? null,
    }),
  }),
  'usage-needs-chat': fault({
    title: 'The usage is refused to a key without chat.',
    breaks: ['BILL-USAGE'],
    rules: forbidding(
      'The API key lacks the scope chat.',
      ({ scopes }, { id }) => id === 'billing.usage' && !scopes.includes('chat'),
    ),
  }),
  'webhooks-changed-on-any-plan': fault({
    title: 'On a plan without webhook settings those that there are can be changed.',
    breaks: ['PLAN-WEBHOOKS-OTHER'],
    rules: (was) => ({
      hasWebhookSettings: (plan, call) => call.method === 'PATCH' || was.hasWebhookSettings(plan, call),
    }),
  }),
  'webhooks-closed-for-good': fault({
    title: 'Webhook settings stay closed once they were closed, whatever the plan is then.',
    breaks: ['PLAN-WEBHOOKS'],
    rules: (was) => {
      let wasClosed = false
      return {
        hasWebhookSettings(plan, call) {
          wasClosed ||= !was.hasWebhookSettings(plan, call)
          return !wasClosed
        },
      }
    },
  }),
} as const satisfies Record<string, Fault>

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
