/** The simulator: a stand-in for the service that keeps its contract, or breaks it on request. */
export type { JournalEntry } from './tenant/journal/entry.ts'
export type { Task, TaskState, Approval, ApprovalState, ApprovalDecision } from './tenant/operations/store.ts'
export type { Simulator, SimulatorOptions } from './simulator.ts'
export { createSimulator } from './simulator.ts'
export { recallFixture } from './tenant/fixtures.ts'
export { journalText, withTenant } from './with-tenant.ts'
export type { Tenant, TenantOptions, Modifications } from './tenant.ts'
export type { ReplyRule, ReplyMatch, CannedReply } from './chat/plan.ts'
export type {
  SituationOptions,
  PreparedSituations,
  SituationName,
  PreparedStep,
} from './prepared.ts'
export { situationNames, situations } from './situations/situations.ts'
export { droppedOf, type Dropped } from './tenant/tenant-data.ts'
export type { Barrier, BarrierMatch, BarrierPoint, Barriers } from './clock/barriers.ts'
export type { Advanced, TenantClock, ClockSetting } from './clock/clock.ts'
export type { EntryFilter, EntryMatch, ErrorCode } from './tenant/journal/filter.ts'
export type { JournalWaitOptions } from './tenant/journal/filter.ts'
export type { Journal } from './tenant/journal/journal.ts'
export { requestBodyJson, requestText, responseText } from './tenant/journal/text.ts'
export type { TaskPace } from './tenant/operations/operation.ts'
export type { TaskStep } from './operations/tasks.ts'
export type { NetworkFault, StreamEncoding, NetworkFaultAction } from './tenant/network-fault.ts'
export type { Outage } from './tenant/rate.ts'
export type { ServerRoute } from './route.ts'
export type {
  AttemptRecord,
  WebhookDelivery,
  DeliveryState,
  Occurrence,
} from './tenant/webhooks/delivery.ts'
export type { FaultId, VariantId } from './modification-names.ts'
export { faultIds, faultsNamed, variantIds, variantsNamed } from './modification-names.ts'
export { faults } from './faults/index.ts'
export { variants } from './variants/index.ts'
export type { Modification, Fault, Variant } from './modification/modification.ts'
