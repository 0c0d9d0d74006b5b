/** Routes for barriers. */
import type { Call } from '../server/call.ts'
import type { SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import type { Barrier, BarrierPoint } from '../tenant/clock/barriers.ts'
import { afterRealTime } from '../tenant/clock/machine-time.ts'
import { createdResponse, ok, type ControlResponse } from './answer.ts'
import { barrierState } from './describe.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody, queryOf, timeoutOf, wholeNumberOf } from './request.ts'
import { proveRoom } from './room.ts'

export function createBarrier(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const { point, n = 1, agentId, idempotencyKey, times } = validBody(call, 'BarrierRequest')
  proveRoom(limits, 'barriers', tenant.barriers.list().length)
  const at: BarrierPoint = point === 'after-token' ? `after-token:${n}` : point
  const { id } = tenant.barriers.hold({
    at,
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
    ...(times === undefined ? {} : { times }),
  })
  return createdResponse({ id })
}

export const listBarriers = (tenant: Tenant): ControlResponse =>
  ok({ barriers: tenant.barriers.list().map(barrierState) })

function barrierOf(tenant: Tenant, call: Call): Barrier {
  const barrier = tenant.barriers.find(call.params['barrierId'] ?? '')
  if (barrier) return barrier
  throw new ControlRefusal(404, `There is no barrier \`${call.params['barrierId']}\`; it may be used up.`)
}

export async function awaitBarrier(tenant: Tenant, call: Call): Promise<ControlResponse> {
  const query = queryOf(call)
  const [count, timeoutMs] = [wholeNumberOf(query, 'count', 1) ?? 1, timeoutOf(query)]
  const barrier = barrierOf(tenant, call)
  const timedOut = await new Promise<boolean>((resolve) => {
    const forget = afterRealTime(timeoutMs, () => resolve(true))
    const end = (timedOut: boolean) => (): void => (forget(), resolve(timedOut))
    barrier.reached(count).then(end(false), end(true))
  })
  return ok({ came: barrier.came, timedOut })
}

export const endBarrier =
  (how: 'release' | 'crash') =>
  (tenant: Tenant, call: Call): ControlResponse => {
    const barrier = barrierOf(tenant, call)
    const turns = barrier.waiting
    barrier[how]()
    return ok({ turns })
  }
