/** Routes for barriers. */
import type { Call } from '../http/call.ts'
import type { Tenant } from '../tenant.ts'
import type { BarrierPoint } from '../world/barriers.ts'
import { created, ok, type Answer } from './answer.ts'
import { barrierState } from './describe.ts'
import { bodyOf, ControlRefusal } from './request.ts'

export function createBarrier(tenant: Tenant, call: Call): Answer {
  const { point, n = 1, agentId, idempotencyKey, times } = bodyOf(call, 'BarrierRequest')
  const at: BarrierPoint = point === 'after-token' ? `after-token:${n}` : point
  const { id } = tenant.barriers.hold({
    at,
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
    ...(times === undefined ? {} : { times }),
  })
  return created({ id })
}

export const listBarriers = (tenant: Tenant): Answer =>
  ok({ barriers: tenant.barriers.list().map(barrierState) })

export const endBarrier =
  (how: 'release' | 'crash') =>
  (tenant: Tenant, call: Call): Answer => {
    const barrier = tenant.barriers.find(call.params['barrierId'] ?? '')
    if (!barrier)
      throw new ControlRefusal(404, `There is no barrier \`${call.params['barrierId']}\`; it may be used up.`)
    const turns = barrier.waiting
    barrier[how]()
    return ok({ turns })
  }
