/** The clock of a tenant in another process. */
import type { components } from '../../spec/types/control.ts'
import type { Send } from './send.ts'

type Schemas = components['schemas']
export type ClockState = Schemas['ClockState']

export interface ControlledClock {
  read(): Promise<ClockState>
  /** Time moves only by `advance`. `at`: where it stands; without it, now. */
  freeze(at?: Date): Promise<ClockState>
  /** Moves time ahead, runs what is due in order, and resolves when what it started has settled. */
  advance(ms: number): Promise<Schemas['Advanced']>
  /** So many times as fast as the real one, from now on. */
  scale(factor: number): Promise<ClockState>
  /** With the real one, so far ahead of it. */
  offset(ms: number): Promise<ClockState>
  /** The real time. */
  real(): Promise<ClockState>
}

export function clockOf(send: Send): ControlledClock {
  const set = (body: Schemas['ClockSetting']): Promise<ClockState> => send('setClock', { body })
  return {
    read: () => send('readClock', {}),
    freeze: (at) => set({ mode: 'frozen', ...(at === undefined ? {} : { at: at.toISOString() }) }),
    advance: (ms) => send('advanceClock', { body: { ms } }),
    scale: (factor) => set({ mode: 'scaled', factor }),
    offset: (ms) => set({ mode: 'offset', ms }),
    real: () => set({ mode: 'real' }),
  }
}
