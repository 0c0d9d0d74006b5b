/** How long the steps of a turn take. */
import type { TenantClock } from './clock.ts'

/** Waits of a turn, one after the other. One that took longer, as the process is busy, shortens those that follow. */
export interface TurnPace {
  wait(ms: number): Promise<void> | undefined
  /** What has passed until now shortens nothing. */
  restart(): void
}

export function createPace({ now, sleep }: Pick<TenantClock, 'now' | 'sleep'>): TurnPace {
  let due = now()
  return {
    wait: (ms) => {
      due += ms
      const left = due - now()
      return ms > 0 && left > 0 ? sleep(left, { label: 'turn' }) : undefined
    },
    restart: () => void (due = now()),
  }
}
