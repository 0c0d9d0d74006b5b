/** How long the rest of a run takes, from what it has sent so far. Pure. */

/** A moment of a run: milliseconds since it began, and the requests sent by then. */
interface Point {
  at: number
  sent: number
}

export interface RunCourse extends Point {
  /** The most requests of each scenario that has ended, and of each that has not. */
  ended: readonly number[]
  left: readonly number[]
  /** Requests sent when the last scenario ended. */
  sentByEnded: number
  /** The most that the run may take: it ends there, whatever is left. */
  limits: Point
  /** When one key began to wait for its rate: the first time, and the last time; `ms`: for how long. */
  waits?: { first: Point; last: Point & { ms: number } }
}

/** Milliseconds that a run still takes; null as long as that cannot be estimated. */
export function timeLeft(course: RunCourse): number | null {
  const expectedEnded = sum(course.ended)
  const { rate, from } = paceOf(course)
  if (expectedEnded === 0 || course.sentByEnded === 0 || !(rate > 0)) return null
  const scale = course.sentByEnded / expectedEnded
  const inFlight = course.sent - course.sentByEnded
  const { limits } = course
  const rest = Math.max(0, Math.min(sum(course.left) * scale - inFlight, limits.sent - course.sent))
  const estimate = (course.sent + rest - from.sent) / rate - (course.at - from.at)
  return Math.max(0, Math.min(estimate, limits.at - course.at))
}

/**
 * The requests that a scenario sends, from the most that it may: a large maximum is mostly for shrinking a
 * counterexample. The root fits the runs of all scenarios against a conforming server.
 */
const sum = (most: readonly number[]): number =>
  most.reduce((total, one) => total + Math.min(one, 2.5 * Math.sqrt(one)), 0)

/** In less, a key may send a whole minute's requests, or next to none. */
const leastMs = 60_000

/**
 * Requests per millisecond, and the moment from which that holds. A key sends a minute's requests in a burst, so a rate
 * is measured from one wait to one that is at least a minute later.
 */
function paceOf({ at, sent, waits }: RunCourse): { rate: number; from: Point } {
  const start = { at: 0, sent: 0 }
  if (waits === undefined) return { rate: sent / at, from: start }
  const { first, last } = waits
  if (last.sent > first.sent && last.at - first.at >= leastMs)
    return { rate: (last.sent - first.sent) / (last.at - first.at), from: last }
  return { rate: last.sent / (last.at + last.ms), from: start }
}
