/** A simulator in another process, in the words of one in this. Nothing of the simulator itself is loaded. */
export { createControlClient } from './client.ts'
export type { ControlClient, ControlClientOptions, ControlledTenantOptions } from './client.ts'
export type { ControlledBarrier, ControlledBarriers } from './barriers.ts'
export type { ClockState, ControlledClock } from './clock.ts'
export type { ControlledEntry, ControlledFilter, ControlledJournal } from './journal.ts'
export { ControlError } from './send.ts'
export type { ControlledTenant, EnteredState, TenantControl } from './tenant.ts'
