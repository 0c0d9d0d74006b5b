/** Routes of operations and settings that are open to those who may not, or closed to those who may. */
import { headerValues } from '../../server/call.ts'
import type { Rules } from '../../rules.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { forbidding, onAnswer, permitting, unguarded } from '../../modification/operation-changes.ts'

const isKeyless = (call: Parameters<typeof headerValues>[0]): boolean =>
  headerValues(call, 'authorization').length === 0

/** Scopes do not matter for these keys. */
function forKeys(isOpen: (apiKey: ApiKey) => boolean): (rules: Rules) => Partial<Rules> {
  return (was) => ({
    permissions: was.permissions.map((rule) =>
      rule.name === 'chat-scope'
        ? { ...rule, objects: (apiKey, ...rest) => (isOpen(apiKey) ? null : rule.objects(apiKey, ...rest)) }
        : rule,
    ),
    ...permitting(isOpen)(was),
  })
}

export const scopeFaults = {
  'task-forbidden-without-key': fault({
    title: 'A task is forbidden for a call without a key.',
    breaks: ['SCOPE-NO-KEY'],
    ...onAnswer(
      ({ operation }, { status }, call) => operation === 'task' && status === 401 && isKeyless(call),
      (reply) => ({ ...reply, status: 403 }),
    ),
  }),
  'task-open-without-key': fault({
    title: 'A task that there is is shown without a key.',
    breaks: ['SCOPE-NO-KEY'],
    ...onAnswer(
      ({ operation }, { status }, call) => operation === 'task' && status === 401 && isKeyless(call),
      (reply, call, { operations }) => {
        const task = operations.tasks.get(call.params['taskId'] ?? '')
        return task ? { ...reply, status: 200, body: { state: task.state } } : reply
      },
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
  'agents-listed-for-all': fault({
    title: 'Listing agents needs no scope.',
    breaks: ['SCOPE-READ-AGENTS'],
    rules: ({ catalogue }) => ({
      catalogue: catalogue.map((operation) =>
        operation.id === 'agents.list' ? { ...operation, scope: null } : operation,
      ),
    }),
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
  'no-scopes-are-all': fault({
    title: 'A key without any scope is taken for one without limits.',
    breaks: ['AUTH-NO-CHAT', 'BILL-USAGE-SCOPE', 'SCOPE-READ-AGENTS'],
    rules: forKeys(({ scopes }) => scopes.length === 0),
  }),
  'single-scope-is-enough': fault({
    title: 'Of the scopes of a key it counts alone that it has one.',
    breaks: ['AUTH-NO-CHAT', 'BILL-USAGE-SCOPE', 'OPS-PER-KEY', 'SCOPE-INSPECT', 'SCOPE-READ-AGENTS'],
    rules: forKeys(({ scopes }) => scopes.length === 1 && !scopes.includes('chat')),
  }),
  'uploads-open-chat': fault({
    title: 'A key with knowledge.write alone does everything.',
    breaks: ['AUTH-NO-CHAT', 'BILL-USAGE-SCOPE', 'OPS-PER-KEY', 'SCOPE-INSPECT'],
    rules: forKeys(({ scopes }) => scopes.length === 1 && scopes.includes('knowledge.write')),
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
