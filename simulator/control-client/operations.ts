/** Every route of spec/control.yaml by its operation, and what goes with it: the compiler misses none of them. */
import type { operations } from '../../spec/types/control.ts'

export type Operation = keyof operations

export const routes = {
  readHealth: 'GET /healthz',
  createTenant: 'POST /_sim/v1/tenants',
  readTenant: 'GET /_sim/v1/tenants/{tenantId}',
  updateTenant: 'PATCH /_sim/v1/tenants/{tenantId}',
  deleteTenant: 'DELETE /_sim/v1/tenants/{tenantId}',
  resetTenant: 'POST /_sim/v1/tenants/{tenantId}/reset',
  enterState: 'POST /_sim/v1/tenants/{tenantId}/states/{state}',
  leaveState: 'DELETE /_sim/v1/tenants/{tenantId}/states/{state}/{handle}',
  readClock: 'GET /_sim/v1/tenants/{tenantId}/clock',
  setClock: 'PUT /_sim/v1/tenants/{tenantId}/clock',
  advanceClock: 'POST /_sim/v1/tenants/{tenantId}/clock/advance',
  updateTenantAgent: 'PATCH /_sim/v1/tenants/{tenantId}/agents/{agentId}',
  updateTenantAccount: 'PATCH /_sim/v1/tenants/{tenantId}/accounts/{accountId}',
  setReplyRules: 'PUT /_sim/v1/tenants/{tenantId}/reply-rules',
  prepareSituation: 'POST /_sim/v1/tenants/{tenantId}/situations/{situation}',
  addNetworkFaults: 'POST /_sim/v1/tenants/{tenantId}/network-faults',
  clearNetworkFaults: 'DELETE /_sim/v1/tenants/{tenantId}/network-faults',
  emitEvent: 'POST /_sim/v1/tenants/{tenantId}/events',
  listDeliveries: 'GET /_sim/v1/tenants/{tenantId}/deliveries',
  sendAgain: 'POST /_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/again',
  listApprovals: 'GET /_sim/v1/tenants/{tenantId}/approvals',
  decideApproval: 'POST /_sim/v1/tenants/{tenantId}/approvals/{approvalId}',
  listTasks: 'GET /_sim/v1/tenants/{tenantId}/tasks',
  stepTask: 'POST /_sim/v1/tenants/{tenantId}/tasks/{taskId}',
  createBarrier: 'POST /_sim/v1/tenants/{tenantId}/barriers',
  listBarriers: 'GET /_sim/v1/tenants/{tenantId}/barriers',
  awaitBarrier: 'GET /_sim/v1/tenants/{tenantId}/barriers/{barrierId}/reached',
  releaseBarrier: 'POST /_sim/v1/tenants/{tenantId}/barriers/{barrierId}/release',
  crashBarrier: 'POST /_sim/v1/tenants/{tenantId}/barriers/{barrierId}/crash',
  readJournal: 'GET /_sim/v1/tenants/{tenantId}/journal',
  awaitJournal: 'GET /_sim/v1/tenants/{tenantId}/journal/wait',
  listFaults: 'GET /_sim/v1/faults',
  listVariants: 'GET /_sim/v1/variants',
  listReadings: 'GET /_sim/v1/readings',
  listSituations: 'GET /_sim/v1/situations',
} as const satisfies Record<Operation, string>

/** The tenant that a route is about has a base address of its own. */
export const ofTenant = '/_sim/v1/tenants/{tenantId}'

interface Media<T> {
  content: { 'application/json': T }
}

type Parameters<O extends Operation> = operations[O]['parameters']
export type Query<O extends Operation> =
  Parameters<O> extends { query?: infer Q } ? Exclude<Q, undefined> : never
/** What stands in the path, but for the tenant, which has an address of its own; never where there is nothing. */
type Names<O extends Operation> =
  Parameters<O> extends { path: infer P }
    ? Exclude<keyof P, 'tenantId'> extends never
      ? never
      : Omit<P, 'tenantId'>
    : never

/** Nobody changes what is only sent. */
type Unchanged<T> = T extends object ? { readonly [M in keyof T]: Unchanged<T[M]> } : T

/** What an operation takes as its JSON body. */
export type Body<O extends Operation> =
  NonNullable<operations[O]['requestBody']> extends Media<infer B> ? Unchanged<B> : never

/** What an operation answers when it did what it was asked; undefined where it has nothing to say. */
export type Answer<O extends Operation> = operations[O]['responses'] extends { 200: Media<infer A> }
  ? A
  : operations[O]['responses'] extends { 201: Media<infer A> }
    ? A
    : undefined

/** What a request of this operation is made of. */
export type Asked<O extends Operation> = { query?: Query<O>; body?: Body<O> } & ([Names<O>] extends [never]
  ? { path?: never }
  : { path: Names<O> })
