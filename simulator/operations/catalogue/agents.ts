/** Agents: listing them, looking at the setup of one, and drafting another design for it. */
import {
  completedOutcome,
  failedOutcome,
  continuesAsTask,
  members,
  readOperation,
  writeOperation,
  type Job,
  type Operation,
  type OperationOutcome,
  type OperationContext,
} from '../operation.ts'

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

export const agentOperations: readonly Operation[] = [
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
      const id = `draft_${data.random.word(12)}`
      const { agentId: _agentId, ...design } = input
      data.drafts.add({ id, ...design }, agent?.id ?? '')
      return completedOutcome({ draftId: id, agentId: agent?.id ?? '', published: false })
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
