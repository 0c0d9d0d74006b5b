/** A client for the control routes of a simulator in another process. Loads no code of the simulator. */
export { createControlClient } from './client.ts'
export type { ControlClient, ControlClientOptions, ControlledTenantOptions } from './client.ts'
export type {
  ControlledEntry,
  ControlledFilter,
  ControlledJournal,
  ControlledJournalEvent,
} from './journal.ts'
export { ControlError } from './api.ts'
export type {
  ClockState,
  ControlledBarrier,
  ControlledBarriers,
  ControlledClock,
  ControlledTenant,
  TenantControl,
} from './tenant.ts'
