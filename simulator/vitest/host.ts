/** Where the tenants of tests come from: a simulator in this process, or one whose address is in the environment. */
import type { JournalEntry } from '../tenant/journal/entry.ts'
import { createControlClient } from '../control-client/client.ts'
import type { ControlledTenantOptions } from '../control-client/client.ts'
import type { ControlledEntry } from '../control-client/journal.ts'
import type { ControlledTenant } from '../control-client/tenant.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'
import type { Tenant, TenantOptions } from '../tenant.ts'
import { journalText } from '../with-tenant.ts'
import { askedAndAnswered } from '../tenant/journal/text.ts'

export interface Host<T, O> {
  open(): Promise<void>
  close(): Promise<void>
  createTenant(options: O & { seed: string }): Promise<T>
  journalText(tenant: T): Promise<string>
  closeTenant(tenant: T): Promise<void>
}

export function ownHost(options: SimulatorOptions): Host<Tenant, TenantOptions> {
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
export function environmentHost(
  env: Readonly<Record<string, string | undefined>>,
): Host<ControlledTenant, ControlledTenantOptions> {
  const { TOUCHSTONE_CONTROL_URL: url, TOUCHSTONE_CONTROL_TOKEN: token } = env
  if (url === undefined || url === '')
    throw new Error(
      'TOUCHSTONE_CONTROL_URL is not set: run the tests with `touchstone exec -- …`, or set it.',
    )
  const control = createControlClient({ url, ...(token === undefined ? {} : { token }) })
  return {
    open: async () => void (await control.health()),
    close: () => Promise.resolve(),
    createTenant: (own) => control.createTenant(own),
    journalText: async ({ journal }) => askedAndAnswered((await journal.entries()).map(entryOf)),
    closeTenant: (tenant) => tenant.close(),
  }
}

function entryOf({
  id,
  at,
  method,
  path,
  status,
  closedBy = null,
  request,
  response,
}: ControlledEntry): JournalEntry {
  const bytes = (text = ''): Uint8Array => Buffer.from(text)
  return {
    id,
    at: Date.parse(at),
    method,
    path,
    headers: [],
    body: bytes(request?.body),
    status: status ?? 0,
    responseHeaders: [],
    response: [{ at: Date.parse(at), bytes: bytes(response?.body) }],
    closedBy,
  }
}
