/** Barriers in a tenant of another process. */
import type { components } from '../../spec/types/control.ts'
import type { BarrierMatch } from '../clock/barriers.ts'
import { dataOf, type ControlApi } from './api.ts'

type Schemas = components['schemas']
export type ControlledBarriers = ReturnType<typeof barriersOf>
export type ControlledBarrier = ReturnType<ControlledBarriers['find']>

function requestOf({ at, agent, key, times }: BarrierMatch): Schemas['BarrierRequest'] {
  const [, tokens] = /^after-token:(\d+)$/.exec(at) ?? []
  return {
    ...(tokens === undefined
      ? { point: at as Schemas['BarrierPoint'] }
      : { point: 'after-token', n: Number(tokens) }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(times === undefined ? {} : { times }),
  }
}

export function barriersOf(api: ControlApi, tenantId: string) {
  const all = { path: { tenantId } }
  /** A barrier by its id, such as one of a prepared situation. */
  const find = (id: string) => {
    const path = { tenantId, barrierId: id }
    return {
      id,
      /** Resolves once `count` turns in all have reached it; rejects after `timeoutMs`. */
      reached: async (count = 1, { timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<void> => {
        const params = { path, query: { count, timeoutMs } }
        const { came, timedOut } = await dataOf(
          api.GET('/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/reached', { params }),
        )
        if (timedOut)
          throw new Error(
            `${came} of ${count} expected turns reached the barrier ${id} within ${timeoutMs} ms.`,
          )
      },
      /** Continues all stopped turns and removes the barrier. Returns how many there were. */
      release: async (): Promise<number> =>
        (
          await dataOf(
            api.POST('/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/release', { params: { path } }),
          )
        ).turns,
      /** Kills all stopped turns and removes the barrier. Returns how many there were. */
      crash: async (): Promise<number> =>
        (
          await dataOf(
            api.POST('/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/crash', { params: { path } }),
          )
        ).turns,
    }
  }
  return {
    /** `agent` is an id. */
    hold: async (match: BarrierMatch) => {
      const body = requestOf(match)
      return find((await dataOf(api.POST('/_sim/v1/tenants/{tenantId}/barriers', { params: all, body }))).id)
    },
    list: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/barriers', { params: all }))).barriers,
    find,
  }
}
