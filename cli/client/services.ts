/** Opens the services that a client meets: a simulator of its own for each act, on a port of its own. */
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import {
  createSimulator,
  type ReplyRule,
  type Simulator,
  type TenantOptions,
  faultsNamed,
  variantsNamed,
} from '../../simulator/index.ts'
import type {
  OpenStage,
  OpenStages,
  Stage,
  NetworkFaultAction,
} from '../../suites/clients/execution/service.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { identified } from '../../suites/wire/exchange.ts'
import { beforehand } from './preparations.ts'
import { exchangeOf } from './journal-exchange.ts'

export interface StageHooks {
  /** Of the service that the client is one of; absent: as the contract writes them. */
  identifiers?: Identifiers | undefined
  clock: Clock
  /** Told of every API key that is handed to a client, before it is. */
  onKey: (key: string) => void
}

export function createStages({ clock, onKey, identifiers = contractIdentifiers }: StageHooks): OpenStages {
  /** What the machine's time says when the run's own clock says nought. */
  const began = Date.parse(clock.wall()) - clock.now()
  return async (stage, seed) => {
    const service = await openService(stage, seed, identifiers)
    try {
      return await setUp(service, withNames(stage, identifiers), { began, clock, onKey, identifiers })
    } catch (error) {
      await service.close()
      throw error
    }
  }
}

async function setUp(
  service: Service,
  stage: Stage,
  { began, clock, onKey, identifiers }: StageHooks & { began: number },
): Promise<OpenStage> {
  const { tenant, url } = service
  const apiKey = roleIn(tenant.keys, stage.apiKey ?? 'main', 'API key')
  onKey(apiKey)
  return {
    baseUrl: url + (stage.basePath ?? ''),
    apiKey,
    agent: stage.agentId ?? roleIn(tenant.agents, stage.agent ?? 'plain', 'agent'),
    given: await beforehand(service, stage),
    seen: ({ scenario, name, firstId }) =>
      tenant.journal
        .entries()
        .map((entry, index) =>
          identified(
            exchangeOf(entry, { scenario, name, id: firstId + index, began, now: clock.now() }),
            identifiers,
          ),
        ),
    nextRequest: (signal) => service.nextRequest(signal),
    close: () => service.close(),
  }
}

interface Service extends Simulator {
  nextRequest(signal: AbortSignal): Promise<void>
}

async function openService(stage: Stage, seed: string, identifiers: Identifiers): Promise<Service> {
  const waiting = new Set<() => void>()
  const service: Simulator = await createSimulator({
    ...optionsOf(stage),
    seed,
    identifiers,
    control: false,
    log() {
      for (const wake of waiting) wake()
    },
  })
  const nextRequest = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted) return resolve()
      waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  return Object.assign(service, { nextRequest })
}

function optionsOf({ faults, variants, readings, replies }: Stage): TenantOptions {
  return {
    journalCredentials: 'kept',
    ...(faults === undefined ? {} : { faults: faultsNamed(faults) }),
    ...(variants === undefined ? {} : { variants: variantsNamed(variants) }),
    // Scenarios are data of our own; what they name is looked up by the simulator, which throws where it is not there.
    ...(readings === undefined ? {} : { readings }),
    ...(replies === undefined ? {} : { replyRules: replies as unknown as readonly ReplyRule[] }),
  }
}

/** The stage with the names of the service in the headers of answers. */
function withNames(stage: Stage, identifiers: Identifiers): Stage {
  const { networkFaults } = stage
  if (networkFaults === undefined) return stage
  return { ...stage, networkFaults: networkFaults.map((one) => ({ ...one, do: named(one.do, identifiers) })) }
}

function named(trouble: NetworkFaultAction, identifiers: Identifiers): NetworkFaultAction {
  if (trouble.is !== 'answer' || trouble.headers === undefined) return trouble
  const headers = Object.entries(trouble.headers)
  return {
    ...trouble,
    headers: Object.fromEntries(headers.map(([name, value]) => [withIdentifiers(name, identifiers), value])),
  }
}

function roleIn(table: Readonly<Record<string, string>>, role: string, kind: string): string {
  const value = table[role]
  if (value === undefined) throw new RangeError(`the simulator has no ${kind} with the role ${role}`)
  return value
}
