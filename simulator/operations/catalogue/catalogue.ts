/** Every operation of a project, as one table. Uploads bring their own rows. */
import { orderOperations } from './orders.ts'
import {
  type Operation,
  completedOutcome,
  failedOutcome,
  continuesAsTask,
  members,
  readOperation,
  writeOperation,
  type Job,
  type OperationOutcome,
  type OperationContext,
  listed,
  emailSchema,
} from '../../tenant/operations/operation.ts'
import { uploadOperations } from '../uploads/uploads.ts'
import type { Account } from '../../tenant/conversations.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { addCustomer } from '../../tenant/operations/account-data.ts'

const tag = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,19}$' }

const noteInput = members(
  {
    text: { type: 'string', minLength: 1, maxLength: 500 },
    priority: { type: 'string', enum: ['low', 'normal', 'high'] },
    tags: { type: 'array', items: tag, maxItems: 5, uniqueItems: true },
    remindAt: { type: 'string', format: 'date-time', maxLength: 40 },
    author: members({ name: { type: 'string', minLength: 1, maxLength: 80 }, email: emailSchema }, ['name']),
  },
  ['text'],
)

const noteOperations: readonly Operation[] = [
  writeOperation({
    id: 'notes.create',
    title: 'Create a note',
    description: 'Adds one note to the project. Done at once.',
    input: noteInput,
    perform: (state, { data, input }) => {
      const id = `note_${data.random.word(12)}`
      data.notes.add({ id, createdAt: new Date(state.clock.date()).toISOString(), ...input }, id)
      return completedOutcome({ id, count: data.notes.count() })
    },
  }),
  readOperation({
    id: 'notes.list',
    title: 'List notes',
    description: 'The newest notes first, and how many there are in all.',
    input: members({ tag, limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) => {
      const { tag, limit } = input
      const keeps = tag === undefined ? null : (note: JsonObject) => tagsOf(note).includes(tag)
      return listed('notes', data.notes, keeps, limit)
    },
  }),
]

function tagsOf(note: unknown): readonly unknown[] {
  const tags = isObject(note) ? note['tags'] : []
  return Array.isArray(tags) ? tags : []
}

const importInput = members(
  {
    customers: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: members(
        {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          email: emailSchema,
          country: { type: 'string', pattern: '^[A-Z]{2}$' },
          orders: { type: 'integer', minimum: 0, maximum: 10_000 },
        },
        ['name', 'email'],
      ),
    },
    source: { type: 'string', enum: ['shop', 'newsletter', 'event'] },
  },
  ['customers'],
)

const idSchema = { type: 'string', pattern: '^cus_[0-9]{4,7}$' }

const customerOperations: readonly Operation[] = [
  readOperation({
    id: 'customers.list',
    title: 'List customers',
    description: 'Customers by id, and how many there are in all.',
    input: members({ limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) => {
      const most = typeof input['limit'] === 'number' ? input['limit'] : 100
      return completedOutcome({
        customers: data.customers.values().slice(0, most),
        count: data.customers.count(),
      })
    },
  }),
  writeOperation({
    id: 'customers.import',
    title: 'Import customers',
    description: 'Adds customers. Takes a while: the receipt is accepted, and a task goes on.',
    input: importInput,
    perform: () => continuesAsTask(),
    finish: (_tenantState, { data, input }) => {
      const rows = Array.isArray(input['customers']) ? input['customers'].filter(isObject) : []
      for (const row of rows) addCustomer(data, row)
      return completedOutcome({ imported: rows.length, count: data.customers.count() })
    },
  }),
  writeOperation({
    id: 'customers.erase',
    title: 'Erase a customer',
    description: 'Removes a customer for good. The owner has to approve it first.',
    destructive: true,
    approval: true,
    input: members(
      {
        customerId: idSchema,
        reason: { type: 'string', enum: ['customer-asked', 'duplicate', 'law'] },
        note: { type: 'string', maxLength: 200 },
      },
      ['customerId', 'reason'],
    ),
    // What is not there is erased, too: whoever asks for an erasure wants nothing to be left.
    perform: (state, { data, input }) => {
      const { customerId } = input
      const found = typeof customerId === 'string' && data.customers.remove(customerId)
      data.erasures.add({ at: new Date(state.clock.date()).toISOString(), ...input })
      return completedOutcome({ ...input, found, count: data.customers.count() })
    },
  }),
  readOperation({
    id: 'customers.erasures',
    title: 'List erasures',
    description: 'Erasures that were carried out, the newest first, and how many there are in all.',
    input: members({ customerId: idSchema }, []),
    perform: (_tenantState, { data, input }) => {
      const { customerId: id } = input
      return listed('erasures', data.erasures, id === undefined ? null : (one) => one['customerId'] === id)
    },
  }),
]

function accountOf({ accounts }: OperationContext, { account }: ApiKey): Account {
  const found = accounts.get(account)
  if (!found) throw new Error(`An API key belongs to the account ${account}, which is not there.`)
  return found
}

const billing = { scope: 'billing_read' } as const

const billingOperations: readonly Operation[] = [
  readOperation({
    ...billing,
    id: 'billing.usage',
    title: 'Read the usage',
    description: 'The credits that are left.',
    route: { method: 'GET', path: '/api/v1/billing/usage', isServed: () => true },
    perform: (state, { apiKey }) => completedOutcome(state.rules.usage(accountOf(state, apiKey), state)),
  }),
  readOperation({
    ...billing,
    id: 'billing.subscription',
    title: 'Read the subscription',
    description: 'Its status, and the plan.',
    route: {
      method: 'GET',
      path: '/api/v1/billing/subscription',
      isServed: (rules) => rules.billingIsRouted,
    },
    perform: (state, { apiKey }) =>
      completedOutcome(state.rules.subscription(accountOf(state, apiKey), state)),
  }),
  readOperation({
    ...billing,
    id: 'billing.plans',
    title: 'List the plans',
    description: 'Every plan there is.',
    route: { method: 'GET', path: '/api/v1/billing/plans', isServed: (rules) => rules.billingIsRouted },
    perform: (state) => completedOutcome({ plans: state.rules.plans }),
  }),
  readOperation({
    ...billing,
    id: 'billing.invoices',
    title: 'List the invoices',
    description: 'The newest first, no more than `limit`.',
    input: (rules) => rules.invoiceInput,
    route: { method: 'GET', path: '/api/v1/billing/invoices', isServed: (rules) => rules.billingIsRouted },
    perform: (state, { apiKey, input }) => {
      const limit = typeof input['limit'] === 'number' ? input['limit'] : null
      return completedOutcome({ invoices: state.rules.invoices(accountOf(state, apiKey), limit, state) })
    },
  }),
  readOperation({
    id: 'audit_log.list',
    title: 'List what was done',
    description: 'Writes that were run, the newest first. For Enterprise, and for a trial.',
    plans: ['enterprise', 'trial'],
    input: members({ limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) => listed('entries', data.audit, null, input['limit']),
  }),
]

const agentId = { type: 'string', minLength: 1, maxLength: 100 }
const time = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }

const draftInput = members(
  {
    agentId,
    instructions: { type: 'string', minLength: 1, maxLength: 2000 },
    tone: { type: 'string', enum: ['friendly', 'neutral', 'formal'] },
    temperature: { type: 'number', minimum: 0, maximum: 1 },
    topics: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 40 },
      maxItems: 10,
      uniqueItems: true,
    },
    hours: members({ from: time, to: time, weekends: { type: 'boolean' } }, ['from', 'to']),
  },
  ['agentId', 'instructions'],
)

const calendarInput = members(
  {
    agentId,
    provider: { type: 'string', enum: ['google', 'outlook', 'caldav'] },
    url: { type: 'string', format: 'uri', maxLength: 300 },
  },
  ['agentId', 'provider'],
)

function inspect({ rules }: OperationContext, { agent, data }: Job): OperationOutcome {
  // Only a fault lets it come so far without an agent.
  if (agent === null) return failedOutcome('AGENT_NOT_FOUND', 'Name an agent that agents.list shows.')
  const draft = data.drafts.get(agent.id) ?? null
  return completedOutcome({ agentId: agent.id, live: rules.liveDesign(agent, draft), draft })
}

const agentOperations: readonly Operation[] = [
  readOperation({
    id: 'agents.list',
    title: 'List agents',
    description: 'The agents that the API key may reach.',
    scope: 'read_agents',
    route: { method: 'GET', path: '/api/v1/agents', isServed: (rules) => rules.agentsAreRouted },
    perform: (state, { apiKey }) =>
      completedOutcome({
        agents: state.rules.reachableAgents(apiKey, state).map(({ id, name }) => ({ id, name })),
      }),
  }),
  readOperation({
    id: 'agent_setup.inspect',
    title: 'Inspect the setup of an agent',
    description: 'The live design of an agent, and the newest draft where there is one.',
    scope: 'agent_design_read',
    agentMember: 'agentId',
    input: members({ agentId }),
    perform: inspect,
  }),
  writeOperation({
    id: 'agent_design.draft',
    title: 'Draft an agent design',
    description: 'Keeps a draft beside the live design, which stays as it is.',
    scope: 'agent_design_read',
    agentMember: 'agentId',
    input: draftInput,
    perform: (_tenantState, { agent, data, input }) => {
      const draftId = `draft_${data.random.word(12)}`
      const { agentId: _agentId, ...design } = input
      data.drafts.add({ id: draftId, ...design }, agent?.id ?? '')
      return completedOutcome({ draftId, agentId: agent?.id ?? '', published: false })
    },
  }),
  writeOperation({
    id: 'calendar.connect',
    title: 'Connect a calendar',
    description: 'A task that waits until the owner has let the calendar be read.',
    agentMember: 'agentId',
    input: calendarInput,
    perform: () => continuesAsTask({ asksOwner: true }),
    finish: (_tenantState, { agent, data, input }) => {
      data.calendars.add(input)
      return completedOutcome({
        agentId: agent?.id ?? '',
        provider: input['provider'] ?? null,
        connected: true,
      })
    },
  }),
]

export const catalogue: readonly Operation[] = [
  ...billingOperations,
  ...agentOperations,
  ...noteOperations,
  ...customerOperations,
  ...orderOperations,
  ...uploadOperations,
]

/** What a project pays for: plans, the subscription, and invoices. */
const names = {
  free: 'Free',
  starter: 'Starter',
  business: 'Business',
  enterprise: 'Enterprise',
} as const

export const planRows: readonly JsonObject[] = Object.entries(names).map(([id, displayName]) => ({
  id,
  displayName,
}))

export function displayName(plan: string): string {
  const known: Readonly<Record<string, string>> = { ...names, trial: 'Trial' }
  return (Object.hasOwn(known, plan) ? known[plan] : undefined) ?? plan
}

export const subscriptionStatusOf = ({ plan }: Account): string => (plan === 'trial' ? 'trialing' : 'active')

export function subscriptionOf(account: Account): JsonObject {
  return { status: subscriptionStatusOf(account), plan: { displayName: displayName(account.plan) } }
}

const months = 24

/** One for each of the last months, the newest first. */
export function invoicesOf({ id, plan }: Account, { clock }: OperationContext): readonly JsonObject[] {
  const now = new Date(clock.date())
  return Array.from({ length: months }, (_, back) => {
    const issued = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    const month = issued.toISOString().slice(0, 7)
    return {
      id: `inv_${id.slice(-6)}_${month}`,
      issuedAt: issued.toISOString(),
      total: 99,
      currency: 'EUR',
      status: back === 0 ? 'open' : 'paid',
      plan: displayName(plan),
    }
  })
}
