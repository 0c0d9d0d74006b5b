/**
 * The time of one world. Pacing of tokens, the length of a turn, rate windows and everything else that waits
 * takes its time from here, so that a test can hold time still or jump ahead. The only file that touches the
 * machine's clock and timers.
 */

/** `frozen`: time moves only by `advance`. `offset`: real time plus some ms. `scaled`: real time, `factor` times as fast. */
export type ClockSetting =
  | { readonly mode: 'real' }
  | { readonly mode: 'frozen'; readonly at?: number }
  | { readonly mode: 'offset'; readonly ms: number }
  | { readonly mode: 'scaled'; readonly factor: number }

export interface Advanced {
  /** Milliseconds since 1970 after the advance. */
  now: number
  /** Labels of the timers that ran, in order. */
  fired: readonly string[]
}

export interface Clock {
  readonly setting: ClockSetting
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves when `ms` have passed on this clock; at once when `ms` is not positive, or the signal aborts. */
  sleep(ms: number, options?: { signal?: AbortSignal; label?: string }): Promise<void>
  /** Moves time ahead, runs what is due in order, and resolves when what it started has settled. */
  advance(ms: number): Promise<Advanced>
  /** Like `advance`, to a moment; `next-timer` is the moment of the earliest timer. */
  advanceTo(moment: number | 'next-timer'): Promise<Advanced>
  /** Work outside of this clock, such as a request under way, that `advance` waits for. */
  track<T>(work: Promise<T>): Promise<T>
  set(setting: ClockSetting): void
  /** Number of timers that wait. */
  readonly pending: number
  /** Lets every waiting timer go without running it late: nothing keeps the process alive. */
  close(): void
}

/** Where frozen time starts when nothing else was said: 2030-01-01T00:00:00Z. */
export const frozenStart = Date.UTC(2030, 0, 1)
