/** What is typed into `service-client`, against a simulator with a tenant and a home folder for each test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { CommandLineIo } from '../../client/command-line/process-io.ts'
import { run, type Captured } from '../../client/command-line/process.testkit.ts'
import { createSimulator, type Simulator, type Tenant, type TenantOptions } from '../../simulator/index.ts'

export const ofTheContract = ['--idempotency-key', 'turn-1'] as const

export let simulator: Simulator
export let tenant: Tenant
export let home: string

/** Said once in each file: hooks belong to the file that sets them, and this one is loaded once for several. */
export function typing(): void {
  beforeAll(async () => void (simulator = await createSimulator()))
  afterAll(() => simulator.close())
  beforeEach(() => {
    tenant = simulator.createTenant({ journalCredentials: 'kept', tasks: { by: 'at-once' } })
    home = mkdtempSync(join(tmpdir(), 'service-client-'))
    return () => {
      tenant.close()
      rmSync(home, { recursive: true, force: true })
    }
  })
}

type Key = keyof Tenant['keys']
export const environment = (key: Key = 'main'): Record<string, string> => ({
  SERVICE_BASE_URL: simulator.url,
  SERVICE_API_KEY: tenant.keys[key],
})

/** One command in the home of the test, with the key of the environment unless it is said otherwise. */
export const type = (argv: readonly string[], over: Partial<CommandLineIo> = {}): Promise<Captured> =>
  run(argv, { home, env: environment(), ...over })

export const chatWords = (agent: keyof Tenant['agents'] = 'plain', ...more: string[]): string[] => [
  'chat',
  '--agent',
  tenant.agents[agent],
  '--message',
  'Hello there',
  ...ofTheContract,
  ...more,
]

/** Method and path of all that was sent. */
export const sent = (): string[] => tenant.journal.entries().map(({ method, path }) => `${method} ${path}`)
export const header = (at: number, wanted: string): string | undefined =>
  tenant.journal
    .entries()
    .at(at)
    ?.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
export const body = (at = -1): unknown =>
  JSON.parse(Buffer.from(tenant.journal.entries().at(at)?.body ?? []).toString())

/** Saves a profile with a key, in the home of the test. */
export const login = (profile: string, key: Key, over: Partial<CommandLineIo> = {}): Promise<Captured> =>
  type(['login', '--profile', profile, '--base-url', simulator.url], {
    env: {},
    read: () => Promise.resolve(`${tenant.keys[key]}\n`),
    ...over,
  })
export const saved = (): string => join(home, '.config/service-client/profiles.json')

/** Another tenant in the place of the one that a test begins with. */
export function replaceTenant(options: TenantOptions): void {
  tenant.close()
  tenant = simulator.createTenant(options)
}
