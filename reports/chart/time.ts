/** Times on an axis and in words. Milliseconds throughout. */
import { duration } from '../duration.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `0.4 ms`, `312 ms`, `1.2 s`, `3 min 4 s`, `2 h 5 min`, `3 d 4 h`. */
export function span(ms: number): string {
  if (ms > 0 && ms < 0.05) return '<0.1 ms'
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < hour) return duration(ms / second)
  if (ms < day) return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`
  return `${Math.floor(ms / day)} d ${Math.floor((ms % day) / hour)} h`
}

export interface Tick {
  at: number
  label: string
}

const units = [
  { ms: 1, name: 'ms', steps: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500] },
  { ms: second, name: 's', steps: [1, 2, 5, 10, 15, 30] },
  { ms: minute, name: 'min', steps: [1, 2, 5, 10, 15, 30] },
  { ms: hour, name: 'h', steps: [1, 2, 3, 6, 12] },
  { ms: day, name: 'd', steps: [1, 2, 7, 30, 100, 365] },
] as const

const most = 5

/** At most six round times from 0 up to `end`, which are few enough for a narrow screen. */
export function timeTicks(end: number): readonly Tick[] {
  const all = units.flatMap(({ ms, name, steps }) => steps.map((step) => ({ ms, name, step: step * ms })))
  const { ms, name, step } = all.find((one) => end / one.step <= most) ?? {
    ms: day,
    name: 'd',
    step: day * 10 ** Math.ceil(Math.log10(end / day / most)),
  }
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => ({
    at: index * step,
    label: index === 0 ? '0' : `${Number(((index * step) / ms).toPrecision(6))} ${name}`,
  }))
}
