/** The simulator: a stand-in for the service that keeps its contract, or breaks it on request. */
import type { faults } from './deviations/faults.ts'
import type { variants } from './deviations/variants.ts'
import type { Route } from './http/route.ts'
import type { Tenant, TenantOptions } from './tenant.ts'

export interface SimulatorOptions extends TenantOptions {
  /** Default 0: any free port. */
  port?: number
  /** Default 127.0.0.1. */
  host?: string
  /** Mount the control plane under `/_sim/v1`. Default true. */
  control?: boolean
  /** Further routes, outside of every world. */
  routes?: readonly Route[]
  /** Gets one line per request, without secrets. */
  log?: (line: string) => void
}

export interface Simulator {
  /** Base address, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** The world that answers while no other is named by an API key. */
  readonly tenant: Tenant
  /** Every world, the default one first. */
  readonly tenants: readonly Tenant[]
  createTenant(options?: TenantOptions): Tenant
  /** Stops listening and drops every connection, open streams too. */
  close(): Promise<void>
}

export type { Tenant, TenantOptions, Deviations } from './tenant.ts'
export type { Scenario, ScenarioMatch, ScenarioReply } from './chat/scenario.ts'
export type { Barrier, BarrierMatch, BarrierPoint, Barriers } from './world/barriers.ts'
export type { Advanced, Clock, ClockSetting } from './world/clock.ts'
export type { Entry, EntryFilter, Journal } from './world/journal.ts'
export type { Outage } from './world/outage.ts'
export type { Route } from './http/route.ts'
export type FaultId = keyof typeof faults
export type VariantId = keyof typeof variants
export { faults } from './deviations/faults.ts'
export { variants } from './deviations/variants.ts'
export type { Deviation, Fault, Variant } from './deviations/deviation.ts'
