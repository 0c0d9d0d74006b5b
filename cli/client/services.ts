/** Starts the service of each step: a simulator on its own port. */
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import {
  createSimulator,
  type ReplyRule,
  type Simulator,
  type TenantOptions,
  faultsNamed,
  variantsNamed,
} from '../../simulator/index.ts'
import type { NetworkFaultAction } from '../../spec/types/control.ts'
import type { ClientService, StartService, ServiceSetup } from '../../suites/clients/execution/task.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { identified } from '../../suites/wire/exchange.ts'
import { prepareService } from './preparations.ts'
import { exchangeOf } from './journal-exchange.ts'

export interface ServiceOptions {
  /** Default: those of the contract. */
  identifiers?: Identifiers | undefined
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
  return async (setup, seed) => {
    const service = await openService(setup, seed, identifiers)
    try {
      return await setUp(service, withNames(setup, identifiers), { began, clock, onKey, identifiers })
    } catch (error) {
      await service.close()
      throw error
    }
  }
}

async function setUp(
  service: Service,
  setup: ServiceSetup,
  { began, clock, onKey, identifiers }: ServiceOptions & { began: number },
): Promise<ClientService> {
  const { tenant, url } = service
  const apiKey = roleIn(tenant.keys, setup.apiKey ?? 'main', 'API key')
  onKey(apiKey)
  return {
    baseUrl: url + (setup.basePath ?? ''),
    apiKey,
    agent: setup.agentId ?? roleIn(tenant.agents, setup.agent ?? 'plain', 'agent'),
    prepared: await prepareService(service, setup),
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

async function openService(setup: ServiceSetup, seed: string, identifiers: Identifiers): Promise<Service> {
  const waiting = new Set<() => void>()
  const service: Simulator = await createSimulator({
    ...optionsOf(setup),
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

function optionsOf({ faults, variants, interpretations, replies }: ServiceSetup): TenantOptions {
  return {
    journalCredentials: 'kept',
    ...(faults === undefined ? {} : { faults: faultsNamed(faults) }),
    ...(variants === undefined ? {} : { variants: variantsNamed(variants) }),
    // The simulator throws for unknown names.
    ...(interpretations === undefined ? {} : { interpretations }),
    ...(replies === undefined ? {} : { replyRules: replies as unknown as readonly ReplyRule[] }),
  }
}

/** Returns the setup with vendor header names in the scripted responses. */
function withNames(setup: ServiceSetup, identifiers: Identifiers): ServiceSetup {
  const { networkFaults } = setup
  if (networkFaults === undefined) return setup
  return { ...setup, networkFaults: networkFaults.map((one) => ({ ...one, do: named(one.do, identifiers) })) }
}

function named(action: NetworkFaultAction, identifiers: Identifiers): NetworkFaultAction {
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
