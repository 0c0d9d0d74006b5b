/** Starts the service of each step: a simulator on its own port. */
import { EventEmitter, once } from 'node:events'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import { createSimulator, faultsNamed, variantsNamed } from '../../simulator/index.ts'
import type { ReplyRule, Simulator, JournalEntry } from '../../simulator/index.ts'
import type { NetworkFaultAction } from '../../spec/types/control.ts'
import type { ClientService, StartService, ServiceSetup } from '../../suites/clients/execution/task.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { identified, type Chunk, type Exchange, type Json } from '../../suites/wire/exchange.ts'
import { isObject } from '../../spec/json.ts'

type Given = ClientService['prepared']
type Preparation = (service: Simulator, setup: ServiceSetup) => Promise<Given>

const preparations: Readonly<Record<NonNullable<ServiceSetup['preparation']>, Preparation>> = {
  conversation,
  button,
  'stale-button': async (service, setup) => {
    const given = await button(service, setup)
    await turn(service, setup, given.conversationId)
    return given
  },
  paused: async (service, setup) => {
    const given = await conversation(service, setup)
    service.tenant.pause(setup.agent ?? 'plain')
    return given
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

async function conversation(service: Simulator, setup: ServiceSetup): Promise<Given> {
  const { conversationId } = await turn(service, setup)
  return { conversationId }
}

/** The first button of the latest presentation in a conversation. */
async function button(service: Simulator, setup: ServiceSetup): Promise<Given & { conversationId: string }> {
  const { conversationId, reply } = await turn(service, setup)
  const interaction = interactionIn(reply)
  if (interaction === undefined)
    throw new Error(`the agent ${setup.agent ?? 'plain'} presented no button: ${JSON.stringify(reply)}`)
  return { conversationId, interaction }
}

/** A turn with the main key. Throws unless it gets a reply. */
async function turn(
  { tenant, url }: Simulator,
  { agent = 'plain' }: ServiceSetup,
  conversation?: string,
): Promise<{ conversationId: string; reply: Json }> {
  const roles: Readonly<Record<string, string>> = tenant.agents
  const answer = await fetch(`${url}/api/v1/chat/${roles[agent]}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.keys.main}`,
      'content-type': 'application/json',
      'idempotency-key': conversation === undefined ? 'turn-before' : 'second-turn-before',
    },
    body: JSON.stringify({ message: 'Hello, what do you have?', conversation_id: conversation }),
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
    return { type, runId, nodeId, ...(payload !== undefined && { payload }) }
  return interactionIn(Object.values(value))
}

/** As the client saw it. `began`: milliseconds since 1970 at which the run began; `now`: milliseconds since then. */
export function exchangeOf(
  entry: JournalEntry,
  {
    scenario,
    name,
    id,
    began,
    now,
  }: Pick<Exchange, 'scenario' | 'name' | 'id'> & { began: number; now: number },
): Exchange {
  const moment = (at: number): number => Math.min(now, Math.max(0, Math.round((at - began) * 1000) / 1000))
  const sentAt = moment(entry.at)
  const endedAt = Math.max(sentAt, entry.endedAt === undefined ? now : moment(entry.endedAt))
  const chunks: Chunk[] = entry.response.map(({ at, bytes }) => ({ at: moment(at), bytes }))
  const { method, path, headers, body, closedBy } = entry
  return {
    id,
    scenario,
    name,
    request: { method, path, headers, body, principal: null },
    sentAt,
    endedAt,
    response:
      entry.status === 0
        ? null
        : {
            status: entry.status,
            headers: entry.responseHeaders,
            at: chunks[0]?.at ?? endedAt,
            chunks,
            complete: closedBy === 'server',
          },
    failure: closedBy === 'server' ? null : endings[closedBy ?? 'open'],
  }
}

const endings: Readonly<Record<'client' | 'drop' | 'open', NonNullable<Exchange['failure']>>> = {
  client: { kind: 'aborted', message: 'the client closed the connection before the end of the response' },
  drop: { kind: 'reset', message: 'the service cut the connection' },
  open: { kind: 'aborted', message: 'the step ended before the response' },
}

export interface ServiceOptions {
  /** Default: those of the contract. */
  identifiers?: Identifiers
  clock: Clock
  /** Called with each API key before the client gets it. */
  onKey: (key: string) => void
}

export function createServices({
  clock,
  onKey,
  identifiers = contractIdentifiers,
}: ServiceOptions): StartService {
  /** Wall time at which the clock of the run was 0. */
  const began = Date.parse(clock.wall()) - clock.now()
  const setUp = async (
    service: Awaited<ReturnType<typeof openService>>,
    setup: ServiceSetup,
  ): Promise<ClientService> => {
    const { tenant, url, nextRequest } = service
    const apiKey = roleIn(tenant.keys, setup.apiKey ?? 'main', 'API key')
    onKey(apiKey)
    const agent = setup.agentId ?? roleIn(tenant.agents, setup.agent ?? 'plain', 'agent')
    const prepared = setup.preparation ? await preparations[setup.preparation](service, setup) : {}
    tenant.journal.clear()
    tenant.resetRate()
    if (setup.networkFaults !== undefined)
      tenant.addNetworkFaults(
        setup.networkFaults.map((one) => ({ ...one, do: withNames(one.do, identifiers) })),
      )
    return {
      baseUrl: url + (setup.basePath ?? ''),
      apiKey,
      agent,
      prepared,
      seen: ({ scenario, name, firstId }) =>
        tenant.journal.entries().map((entry, index) => {
          const about = { scenario, name, id: firstId + index, began, now: clock.now() }
          const one = identified(exchangeOf(entry, about), identifiers)
          const { sentAt, endedAt } = one
          return { ...one, inbound: { place: name, targetAt: sentAt, targetEndedAt: endedAt } }
        }),
      isMet: () => tenant.journal.entries().some(({ networkFaults }) => networkFaults.length > 0),
      nextRequest,
      close: () => service.close(),
    }
  }
  return async (setup, seed) => {
    const service = await openService(setup, seed, identifiers)
    try {
      return await setUp(service, setup)
    } catch (error) {
      await service.close()
      throw error
    }
  }
}

async function openService(
  { faults, variants, interpretations, replies }: ServiceSetup,
  seed: string,
  identifiers: Identifiers,
) {
  const requests = new EventEmitter().setMaxListeners(0)
  const service: Simulator = await createSimulator({
    journalCredentials: 'kept',
    faults: faults && faultsNamed(faults),
    variants: variants && variantsNamed(variants),
    // The simulator throws for unknown names.
    interpretations,
    replyRules: replies as readonly unknown[] as readonly ReplyRule[],
    seed,
    identifiers,
    control: false,
    log: () => requests.emit('request'),
  })
  const nextRequest = (signal: AbortSignal): Promise<void> =>
    once(requests, 'request', { signal }).then(
      () => undefined,
      () => undefined,
    )
  return Object.assign(service, { nextRequest })
}

/** With vendor header names in a scripted response. */
function withNames(action: NetworkFaultAction, identifiers: Identifiers): NetworkFaultAction {
  if (action.is !== 'answer' || action.headers === undefined) return action
  const headers = Object.entries(action.headers)
  return {
    ...action,
    headers: Object.fromEntries(headers.map(([name, value]) => [withIdentifiers(name, identifiers), value])),
  }
}

function roleIn(table: Readonly<Record<string, string>>, role: string, kind: string): string {
  const value = table[role]
  if (value === undefined) throw new RangeError(`the simulator has no ${kind} with the role ${role}`)
  return value
}
