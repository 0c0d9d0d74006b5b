/** What the rules say where the contract leaves nothing open; only a fault changes these. */
import { deliveryHeadersOf } from './webhooks/delivery/envelope.ts'
import { bodyRules } from './chat/body.ts'
import { permissions, authenticate } from './chat/handler.ts'
import { olderBase } from './rules/older.ts'
import { interpretationRules } from './interpretations.ts'
import type { Rules } from './rules/tenant-state.ts'
import { isReservedHeaderOf } from './webhooks/management/fields.ts'
import { webhookBase } from './webhooks/interpretations.ts'
import { shownCredits } from './tenant/conversations.ts'
import { contractIdentifiers } from '../spec/identifiers.ts'
import type { Interpretations } from '../spec/index.ts'
import { isChatRefusal } from './edge/refusal.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Agent, ApiKey } from './tenant/principals.ts'
import { planRows, catalogue } from './operations/catalogue/catalogue.ts'
import { schemaProblem } from './edge/operation-refusal.ts'
import type { Operation } from './tenant/operations/operation.ts'
import {
  objection,
  operationPermissions,
  type OperationRules,
  type OperationTenant,
} from './rules/operations.ts'

function reachableAgents({ account, agent: only }: ApiKey, { agents }: OperationTenant): readonly Agent[] {
  return [...agents.values()].filter(
    ({ id, accounts, allowed }) => accounts.includes(account) && allowed && (only === null || only === id),
  )
}

/** A key that is restricted to one agent sees nothing of what is about another. */
function isWithin(apiKey: ApiKey, account: string, agent: string | null): boolean {
  return apiKey.account === account && (agent === null || apiKey.agent === null || apiKey.agent === agent)
}

/** The agent member takes only what the key may name, so that whatever fits can be run. */
function shownSchema(operation: Operation, apiKey: ApiKey, state: OperationTenant): JsonObject {
  const schema = operation.input(state.rules)
  const { agentMember } = operation
  const { properties } = schema
  const ids = state.rules.reachableAgents(apiKey, state).map(({ id }) => id)
  if (agentMember === null || !isObject(properties) || ids.length === 0) return schema
  return { ...schema, properties: { ...properties, [agentMember]: { type: 'string', enum: ids } } }
}

const operationBase = {
  catalogue,
  operationPermissions,
  reachableAgents,
  shownSchema,
  isListed: (operation, apiKey, state) => objection(state, apiKey, operation, null) === null,
  callerOf: (call, state) => {
    const apiKey = authenticate(state, call)
    return isChatRefusal(apiKey) ? null : apiKey
  },
  inputProblem: (operation, input, rules) => schemaProblem(operation.input(rules), input),
  runId: ({ account }, key) => `${account}\n${key}`,
  runsAgain: () => false,
  runGapMs: 0,
  runMs: 0,
  performs: (operation, job, state) => operation.perform(state, job),
  liveDesign: ({ name, paused }) => ({
    version: 1,
    name,
    instructions: `You are the agent ${name}. Answer what customers ask.`,
    tone: 'friendly',
    aiReplies: paused ? 'paused' : 'active',
  }),
  taskPace: { by: 'reads', reads: 1 },
  paceOf: ({ pace }, { taskPace }) => pace ?? taskPace,
  findTask: (id, apiKey, _call, { operations }) => {
    const task = operations.tasks.get(id)
    return task && isWithin(apiKey, task.account, task.agent) ? task : null
  },
  worksOn: (moment) => moment === 'approved',
  findApproval: (id, apiKey, _call, { operations }) => {
    const approval = operations.approvals.get(id)
    const agent = approval?.job.agent?.id ?? null
    return approval && isWithin(apiKey, approval.account, agent) ? approval : null
  },
  creditsLeft: ({ balance }) => shownCredits(balance),
  plans: planRows,
} satisfies Partial<OperationRules>

const base = {
  bodyRules,
  permissions,
  normalizeKey: (key) => key,
  bearer: (authorization) => /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null,
  shownKey: (token) => token,
  isValid: (apiKey) => !apiKey.revoked,
  rateSubject: (apiKey) => apiKey.token,
  rateBody: (state) => ({
    retry_after_seconds: Math.ceil(state.retryAfterMs / 1000),
    limit: state.limit,
    remaining: state.remaining,
  }),
  book: (state) => state.keys,
  workMs: 0,
  claimGapMs: 0,
  leaseMs: Infinity,
  finishLagMs: 0,
  replayDebit: () => 0,
  debit: (cost) => cost,
  balanceAfter: ({ now, debit }) => now - debit,
  remaining: (balance) => balance,
  covers: (available, cost) => available >= cost,
  showCredits: shownCredits,
  buttonState: (known) => known,
  turnOf: (asked) => asked,
  customerMessage: (mark, id) => ({ id, ai_reply: mark }),
  threadKeeps: () => true,
} satisfies Partial<Rules>

export function rulesOf(interpretations: Interpretations, identifiers = contractIdentifiers): Rules {
  const named: Partial<Rules> = {
    replayHeaders: [[identifiers.replayHeader, 'true']],
    deliveryHeaders: deliveryHeadersOf(identifiers),
    isReservedHeader: isReservedHeaderOf(identifiers),
  }
  const bases = [base, named, webhookBase, operationBase, olderBase]
  return Object.assign({}, ...bases, ...interpretationRules(interpretations)) as Rules
}
