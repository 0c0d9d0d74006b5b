/** What a control handler gives back, and what it needs of a simulator. */
import type { Json } from '../json.ts'
import type { Tenant, TenantOptions } from '../tenant.ts'
import { ControlRefusal } from './refusal.ts'

export interface ControlHost {
  readonly tenants: readonly Tenant[]
  /** Of every tenant, including those of other replicas. */
  countTenants(): Promise<number>
  /** Throws SeedTaken. */
  addTenant(options?: TenantOptions): Promise<Tenant>
  removeTenant(tenant: Tenant): Promise<void>
}

export interface ControlResponse {
  status: 200 | 201
  body: Json
}

export const ok = (body: Json): ControlResponse => ({ status: 200, body })
export const createdResponse = (body: Json): ControlResponse => ({ status: 201, body })

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
