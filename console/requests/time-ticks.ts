/** Round times on an axis, so that a distance can be read as a duration. */
export interface Tick {
  /** In ms since the beginning of the axis. */
  readonly ms: number
  /** In percent of the axis. */
  readonly left: number
}

const about = 5

/** At most six, at 1, 2 or 5 times a power of ten; of minutes and more, in minutes. */
export function ticksOf(lengthMs: number): readonly Tick[] {
  const unit = lengthMs > 120_000 ? 60_000 : 1
  const rough = Math.max(1, lengthMs / unit / about)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = unit * power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, at) => ({
    ms: at * step,
    left: (100 * at * step) / lengthMs,
  }))
}
