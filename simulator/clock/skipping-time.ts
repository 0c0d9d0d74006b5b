/**
 * Time for a process that holds both ends of each connection, such as a suite with the simulator that it runs against:
 * once nothing in it is ready to run, the wait for the next timer is skipped. Timers run in the order of their times,
 * however busy the machine is. Where something outside is awaited, time goes on at the pace of the machine.
 */
/* oxlint-disable no-restricted-globals, no-restricted-properties */
import { performance } from 'node:perf_hooks'
import { machineElapsed, machineNow, type MachineTime } from './machine-time.ts'

interface Timer {
  readonly due: number
  readonly run: () => void
}

/** Turns of the event loop without an event until it is looked whether anything is under way. */
const quietTurns = 3

/** Events of sockets, files and threads so far; timers are none. */
const events = (): number => performance.nodeTiming.uvMetricsInfo.events

/** Work of other threads and processes, which ends by itself, and callbacks of the next turn. */
const ready = /^(?:FSReq|Get(?:Addr|Name)Info|Immediate|ProcessWrap)/
const isIdle = (): boolean => !process.getActiveResourcesInfo().some((name) => ready.test(name))

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
/** A wait in which the system can deliver what was sent. */
const nextTick = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1))

export function skippingTime(): MachineTime {
  const timers: Timer[] = []
  let skipped = 0
  let isWatching = false
  const elapsed = (): number => machineElapsed() + skipped

  async function watch(): Promise<void> {
    isWatching = true
    let [seen, quiet] = [events(), 0]
    for (let [head] = timers; head; [head] = timers) {
      if (head.due <= elapsed()) {
        timers.shift()
        head.run()
        quiet = 0
      }
      await (quiet < quietTurns ? nextTurn() : nextTick())
      const now = events()
      quiet = now === seen ? quiet + 1 : 0
      seen = now
      const [next] = timers
      if (next && quiet > quietTurns && isIdle()) skipped += Math.max(0, next.due - elapsed())
    }
    isWatching = false
  }

  const after: MachineTime['after'] = (ms, run) => {
    const timer = { due: elapsed() + Math.max(0, ms), run }
    let index = timers.length
    while (index > 0 && (timers[index - 1]?.due ?? 0) > timer.due) index--
    timers.splice(index, 0, timer)
    if (!isWatching) void watch()
    return () => {
      const at = timers.indexOf(timer)
      if (at !== -1) timers.splice(at, 1)
    }
  }
  return { now: () => machineNow() + skipped, elapsed, after, afterAwake: after }
}
