/** The simulator: a stand-in for the service that keeps its contract, or breaks it on request. */
import type { faults } from './deviations/faults.ts'
import type { variants } from './deviations/variants.ts'

export type { Simulator, SimulatorOptions } from './simulator.ts'
export { createSimulator } from './simulator.ts'
export type { Tenant, TenantOptions, Deviations } from './tenant.ts'
export type { Scenario, ScenarioMatch, ScenarioReply } from './chat/scenario.ts'
export type { ArrangeOptions, Casts, ScenarioName, Step } from './scenarios/cast.ts'
export { scenarioNames } from './scenarios/arrange.ts'
export type { Barrier, BarrierMatch, BarrierPoint, Barriers } from './world/barriers.ts'
export type { Advanced, Clock, ClockSetting } from './world/clock.ts'
export type { Entry, EntryFilter, Journal } from './world/journal.ts'
export type { Approval, ApprovalState, Decision } from './operations/approvals.ts'
export type { Task, TaskPace, TaskState, TaskStep } from './operations/tasks.ts'
export type { Disturbance, StreamSpelling, Trouble } from './disturbance/disturbance.ts'
export type { Outage } from './world/outage.ts'
export type { Route } from './http/route.ts'
export type { Attempt, Delivery, DeliveryState, Occurrence } from './webhooks/delivery.ts'
export type FaultId = keyof typeof faults
export type VariantId = keyof typeof variants
export { faults } from './deviations/faults.ts'
export { variants } from './deviations/variants.ts'
export type { Deviation, Fault, Variant } from './deviations/deviation.ts'
