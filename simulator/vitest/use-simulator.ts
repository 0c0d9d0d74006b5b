/** `useSimulator()`: one simulator for the tests of a file, and a tenant for each of them. */
import { afterAll, beforeAll, test as plainTest, type TestAPI, type TestContext } from 'vitest'
import { type ControlledTenantOptions, createControlClient } from '../control-client/client.ts'
import type { ControlledTenant } from '../control-client/tenant.ts'
import { type SimulatorOptions, createSimulator, type Simulator } from '../simulator.ts'
import type { Tenant, TenantOptions } from '../tenant-handle.ts'
import { type JournalEntry, askedAndAnswered, newEntry } from '../tenant/journal/entry.ts'
import type { ControlledEntry } from '../control-client/journal.ts'
import { journalText } from '../with-tenant.ts'
import { journalWriter } from './journals.ts'

/** For every test of the file; `seed` is what the seeds of its tenants follow from. */
export interface UseOptions extends SimulatorOptions {
  from?: 'here'
}

/** The tenants are those of the simulator that TOUCHSTONE_CONTROL_URL names, as `touchstone exec` sets it. */
export interface RemoteOptions extends ControlledTenantOptions {
  from: 'environment'
}

export interface SimulatedContext<T, O> {
  /** Of this test alone, and closed after it. */
  tenant: T
  /** What makes its tenant another than that of the other tests. */
  tenantOptions: O
}

export interface Simulation<T, O> {
  /** The `test` of vitest, with `tenant` in its context. */
  readonly test: TestAPI<SimulatedContext<T, O>>
  /** The same for tests whose tenant is another: its options are laid over those of the file. */
  readonly testWith: (options: O) => TestAPI<SimulatedContext<T, O>>
  /**
   * The tenant of a test by its context, for hooks and for a `test` of one's own: made when first asked for, with
   * these options. Rejects when it is there already and options are given, because they would come too late.
   */
  readonly tenantOf: (context: Pick<TestContext, 'task' | 'onTestFinished'>, options?: O) => Promise<T>
}

/**
 * To be called at the top of a test file, or in a `describe`. A test that fails prints the journal of its tenant.
 * Throws with `from: 'environment'` where the environment names no simulator.
 */
export function useSimulator(options?: UseOptions): Simulation<Tenant, TenantOptions>
export function useSimulator(options: RemoteOptions): Simulation<ControlledTenant, ControlledTenantOptions>
export function useSimulator(
  options: UseOptions | RemoteOptions = {},
): Simulation<Tenant, TenantOptions> | Simulation<ControlledTenant, ControlledTenantOptions> {
  if (options.from === 'environment') {
    const { from: _, ...common } = options
    return simulation(environmentHost(process.env), common)
  }
  const { from: _, ...given } = options
  const common = { ...given, ...journalWriter(given.onJournalEnd) }
  return simulation(ownHost(common), common)
}

type Options = Pick<TenantOptions, 'seed' | 'interpretations'>

function simulation<T, O extends Options>(host: Host<T, O>, common: O): Simulation<T, O> {
  beforeAll(() => host.open())
  afterAll(() => host.close())
  const tenantOf = tenants(host, common)
  const base = plainTest.extend<{ tenantOptions: Options; tenant: unknown }>({
    tenantOptions: {},
    // Vitest reads in this parameter what a fixture is made of, so it has to be taken apart here.
    tenant: async ({ task, onTestFinished, tenantOptions }, use) => {
      await use(await tenantOf({ task, onTestFinished }, tenantOptions as O))
    },
  })
  // The types of vitest cannot follow a context that depends on type parameters.
  const typed = (test: unknown) => test as TestAPI<SimulatedContext<T, O>>
  return {
    test: typed(base),
    testWith: (options) => typed(base.extend<{ tenantOptions: Options }>({ tenantOptions: options })),
    tenantOf,
  }
}

/** Tenants by the test that they are of: there is no current one, since tests may run at the same time. */
function tenants<T, O extends Options>(host: Host<T, O>, common: O): Simulation<T, O>['tenantOf'] {
  const byTest = new Map<TestContext['task'], Promise<T>>()
  const seeds = createSeeds(common.seed ?? 'touchstone')

  return (context, own) => {
    const { task, onTestFinished } = context
    const known = byTest.get(task)
    if (known && Object.keys(own ?? {}).length === 0) return known
    if (known)
      return Promise.reject(new Error(`${nameOf(task)} has its tenant already: give its options first.`))
    const seed = own?.seed ?? seeds.take(task)
    const interpretations = { ...common.interpretations, ...own?.interpretations }
    const made = host.createTenant({ ...common, ...own, interpretations, seed })
    byTest.set(task, made)
    onTestFinished(async () => {
      byTest.delete(task)
      seeds.giveBack(seed)
      const tenant = await made.catch(() => undefined)
      if (tenant === undefined) return
      if (task.result?.state === 'fail')
        console.error(`The simulator in ${JSON.stringify(nameOf(task))}. ${await host.journalText(tenant)}`)
      await host.closeTenant(tenant)
    })
    return made
  }
}

interface Host<T, O> {
  open(): Promise<void>
  close(): Promise<void>
  createTenant(options: O & { seed: string }): Promise<T>
  journalText(tenant: T): Promise<string>
  closeTenant(tenant: T): Promise<void>
}

function ownHost(options: SimulatorOptions): Host<Tenant, TenantOptions> {
  let simulator: Simulator | undefined
  const opened = (): Simulator => {
    if (simulator) return simulator
    throw new Error('The simulator opens before the first test: ask for a tenant within a test or its hooks.')
  }
  return {
    open: async () => void (simulator = await createSimulator(options)),
    close: async () => simulator?.close(),
    createTenant: async (own) => opened().createTenant(own),
    journalText: async (tenant) => {
      const elsewhere = opened().tenant.journal.entries().length
      const hint = elsewhere === 0 ? '' : `\n${elsewhere} requests to it had no key of any tenant of a test.`
      return journalText(tenant) + hint
    },
    closeTenant: async (tenant) => opened().removeTenant(tenant),
  }
}

/** Throws where the environment names no simulator. */
function environmentHost(
  env: Readonly<Record<string, string | undefined>>,
): Host<ControlledTenant, ControlledTenantOptions> {
  const { TOUCHSTONE_CONTROL_URL: url, TOUCHSTONE_CONTROL_TOKEN: token } = env
  if (url === undefined || url === '')
    throw new Error(
      'TOUCHSTONE_CONTROL_URL is not set: run the tests with `touchstone exec -- …`, or set it.',
    )
  const control = createControlClient({ url, token })
  return {
    open: async () => void (await control.health()),
    close: () => Promise.resolve(),
    createTenant: (own) => control.createTenant(own),
    journalText: async ({ journal }) => askedAndAnswered((await journal.entries()).map(entryOf)),
    closeTenant: (tenant) => tenant.close(),
  }
}

function entryOf(given: ControlledEntry): JournalEntry {
  const { id, at, method, path, status, closedBy = null, request, response } = given
  const bytes = (text = ''): Uint8Array => Buffer.from(text)
  const when = { at: Date.parse(at) }
  const entry = newEntry(id, { ...when, method, path, headers: [], body: bytes(request?.body) })
  const chunks = [{ ...when, bytes: bytes(response?.body) }]
  return { ...entry, status: status ?? 0, response: chunks, closedBy }
}

type Task = TestContext['task']

/** Such as `orders > are replayed`. */
function nameOf(task: Task): string {
  const names = [task.name]
  for (let suite = task.suite; suite !== undefined && suite.name !== ''; suite = suite.suite)
    names.unshift(suite.name)
  return names.join(' > ')
}

function createSeeds(common: string) {
  const taken = new Set<string>()
  return {
    /** Two tests of one name that run at the same time get different ones. */
    take: (task: Task): string => {
      const first = `${common}/${nameOf(task)}`
      let seed = first
      for (let more = 2; taken.has(seed); more++) seed = `${first} (${more})`
      taken.add(seed)
      return seed
    },
    giveBack: (seed: string): void => void taken.delete(seed),
  }
}
