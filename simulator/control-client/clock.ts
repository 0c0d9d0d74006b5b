/** The clock of a tenant in another process. */
import type { components } from '../../spec/types/control.ts'
import { dataOf, type ControlApi } from './api.ts'

type Schemas = components['schemas']
export type ClockState = Schemas['ClockState']
export type ControlledClock = ReturnType<typeof clockOf>

export function clockOf(api: ControlApi, tenantId: string) {
  const params = { path: { tenantId } }
  const set = (body: Schemas['ClockSetting']): Promise<ClockState> =>
    dataOf(api.PUT('/_sim/v1/tenants/{tenantId}/clock', { params, body }))
  return {
    read: () => dataOf(api.GET('/_sim/v1/tenants/{tenantId}/clock', { params })),
    /** Stops time, at `at` or now; only `advance` moves it. */
    freeze: (at?: Date) => set({ mode: 'frozen', ...(at === undefined ? {} : { at: at.toISOString() }) }),
    /** Moves time ahead, runs what is due in order, and resolves when what it started has settled. */
    advance: (ms: number) =>
      dataOf(api.POST('/_sim/v1/tenants/{tenantId}/clock/advance', { params, body: { ms } })),
    /** Time runs `factor` times as fast as real time. */
    scale: (factor: number) => set({ mode: 'scaled', factor }),
    /** Real time plus an offset. */
    offset: (ms: number) => set({ mode: 'offset', ms }),
    real: () => set({ mode: 'real' }),
  }
}
