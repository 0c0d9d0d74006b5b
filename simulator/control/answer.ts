/** What a control handler gives back, and what it needs of a simulator. */
import type { Identifiers } from '../../spec/identifiers.ts'
import type { Json } from '../json.ts'
import type { Tenant, TenantOptions } from '../tenant-handle.ts'
import { ControlRefusal } from './guard.ts'
import type { Call } from '../edge/reply.ts'
import type { SimulatorLimits } from '../limits.ts'
import { validBody } from './request.ts'
import { proveRoom } from './room.ts'

export interface ControlHost {
  readonly tenants: readonly Tenant[]
  /** The one that answers requests without known credentials. */
  readonly tenant: { readonly id: string; readonly identifiers: Identifiers }
  /** Throws SeedTaken. */
  createTenant(options?: TenantOptions): Tenant
  removeTenant(tenant: Tenant): void
}

export interface ControlDocument {
  status: 200 | 201
  body: Json
}

/** A document that is JSON in UTF-8 already. */
export interface ControlText {
  status: 200
  text: Uint8Array
}

export interface ControlStream {
  status: 200
  events: AsyncIterable<Uint8Array>
}

export type ControlResponse = ControlDocument | ControlText | ControlStream

/** Routes below `/_sim/v1/tenants/:tenantId`, by method and path. */
export type TenantRoutes = Readonly<
  Record<
    string,
    (tenant: Tenant, call: Call, limits: SimulatorLimits) => ControlResponse | Promise<ControlResponse>
  >
>

export const ok = (body: Json): ControlDocument => ({ status: 200, body })
export const createdResponse = (body: Json): ControlDocument => ({ status: 201, body })

/** Turns what a tenant throws for a wrong name or a missing member into a refusal with this status. */
export function refusing<T>(status: 400 | 409, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return controlError(status)(error)
  }
}

/** The same for what comes later. */
export const controlError =
  (status: 400 | 409) =>
  (error: unknown): never => {
    throw new ControlRefusal(status, error instanceof Error ? error.message : String(error))
  }

export const failureRoutes: TenantRoutes = {
  'POST /failures'(tenant, call, limits) {
    const { agentId, principal, ...rest } = validBody(call, 'FailureRequest')
    const { outages } = tenant.state
    if (principal !== undefined && !Object.hasOwn(tenant.keys, principal))
      throw new ControlRefusal(
        400,
        `Unknown principal \`${principal}\`: give the role of an API key, such as main.`,
      )
    proveRoom(limits, 'failures', outages.length)
    refusing(400, () => tenant.fail({ ...rest, agent: agentId, apiKey: principal }))
    return ok({ added: 1, active: outages.length })
  },
  'DELETE /failures'(tenant) {
    const removed = tenant.state.outages.length
    tenant.clearFailures()
    return ok({ removed })
  },
}
