/** Times in words. */

/** `0.4 s`, `12 s`, `3 min 4 s`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `2026-11-01 12:30:00 UTC` of an ISO 8601 time in UTC. */
export function clockTime(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
}
