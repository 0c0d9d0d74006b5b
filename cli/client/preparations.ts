/** Preparation of a service before its client: turns of another client, and actions of the owner. */
import { isObject } from '../../spec/json.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { ClientService, ServiceSetup } from '../../suites/clients/execution/task.ts'
import type { Json } from '../../suites/wire/exchange.ts'

type Given = ClientService['prepared']

/** Clears the journal and the rate limits afterwards; network faults are added last. */
export async function prepareService(service: Simulator, setup: ServiceSetup): Promise<Given> {
  const { tenant } = service
  const given = setup.preparation === undefined ? {} : await preparations[setup.preparation](service, setup)
  tenant.journal.clear()
  tenant.resetRate()
  if (setup.networkFaults !== undefined) tenant.addNetworkFaults(setup.networkFaults)
  return given
}

const preparations: Readonly<
  Record<
    NonNullable<ServiceSetup['preparation']>,
    (service: Simulator, setup: ServiceSetup) => Promise<Given>
  >
> = {
  conversation: async (service, setup) => {
    const { conversationId } = await turn(service, setup)
    return { conversationId }
  },
  button,
  'stale-button': async (service, setup) => {
    const given = await button(service, setup)
    await turn(service, setup, given.conversationId)
    return given
  },
  paused: async (service, setup) => {
    const { conversationId } = await turn(service, setup)
    service.tenant.pause(setup.agent ?? 'plain')
    return { conversationId }
  },
  'paused-button': async (service, setup) => {
    const given = await button(service, setup)
    service.tenant.pause(setup.agent ?? 'plain')
    return given
  },
  'no-credits': async ({ tenant }, { apiKey = 'main' }) => {
    tenant.setCredits(apiKey, 0)
    return {}
  },
  'uncertain-key': async ({ tenant }, { apiKey = 'main', agent = 'plain' }) => {
    const key = `turn-of-${tenant.id}`
    tenant.markUncertain({ key, apiKey, agent })
    return { idempotencyKey: key }
  },
}

/** The first button of the latest presentation in a conversation. */
async function button(service: Simulator, setup: ServiceSetup): Promise<Given & { conversationId: string }> {
  const { conversationId, reply } = await turn(service, setup)
  const interaction = interactionIn(reply)
  if (interaction === undefined)
    throw new Error(`the agent ${setup.agent ?? 'plain'} presented no button: ${JSON.stringify(reply)}`)
  return { conversationId, interaction }
}

interface Turn {
  conversationId: string
  reply: Json
}

/** A turn with the main key. Throws unless it gets a reply. */
async function turn(
  { tenant, url }: Simulator,
  { agent = 'plain' }: ServiceSetup,
  conversation?: string,
): Promise<Turn> {
  const roles: Readonly<Record<string, string>> = tenant.agents
  const answer = await fetch(`${url}/api/v1/chat/${roles[agent]}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.keys.main}`,
      'content-type': 'application/json',
      'idempotency-key': conversation === undefined ? 'turn-before' : 'second-turn-before',
    },
    body: JSON.stringify({
      message: 'Hello, what do you have?',
      ...(conversation === undefined ? {} : { conversation_id: conversation }),
    }),
  })
  const reply = (await answer.json()) as Json
  const id = isObject(reply) ? reply['conversation_id'] : undefined
  if (answer.status !== 200 || typeof id !== 'string')
    throw new Error(`the turn before the step got ${answer.status}: ${JSON.stringify(reply)}`)
  return { conversationId: id, reply }
}

/** The first button, as a selection: without its display members. */
function interactionIn(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map(interactionIn).find((found) => found !== undefined)
  if (!isObject(value)) return undefined
  const { type, runId, nodeId, payload } = value
  if (type === 'workflow_button' && runId !== undefined && nodeId !== undefined)
    return { type, runId, nodeId, ...(payload === undefined ? {} : { payload }) }
  return interactionIn(Object.values(value))
}
