/**
 * The time of one tenant. Pacing of tokens, the length of a turn, rate windows and everything else that waits
 * takes its time from here, so that a test can hold time still or jump ahead.
 */
import {
  breathe,
  machineElapsed,
  machineNow,
  machineTime,
  pauseFor,
  type MachineTime,
} from './machine-time.ts'
import { createTimeline, dated, type ClockSetting } from './barriers.ts'

type Sleeper = PromiseWithResolvers<void>

interface Timer {
  readonly due: number
  readonly label: string
  run(): void
  /** Who sleeps until then; rejected where that time never comes. */
  readonly sleeper?: Sleeper | undefined
}

type Timers = ReturnType<typeof createTimers>

function endSleep(reason: Error, sleeper?: Sleeper): void {
  // One without a listener is no defect of the process.
  sleeper?.promise.catch(() => undefined)
  sleeper?.reject(reason)
}

/** Timers of one clock, in the order in which they are due. */
function createTimers() {
  const timers: Timer[] = []
  return {
    get size(): number {
      return timers.length
    },
    get first(): Timer | undefined {
      return timers[0]
    },
    // Most timers are due last, so the search for their place begins at the end.
    add: (timer: Timer): void => {
      let index = timers.length
      while (index > 0 && (timers[index - 1]?.due ?? 0) > timer.due) index--
      timers.splice(index, 0, timer)
    },
    remove: (timer: Timer): void => {
      const index = timers.indexOf(timer)
      if (index !== -1) timers.splice(index, 1)
    },
    /** Takes out what is due at this moment, earliest first; of equal ones the one added first. */
    takeDue: (moment: number): readonly Timer[] => {
      const later = timers.findIndex((timer) => timer.due > moment)
      return timers.splice(0, later === -1 ? timers.length : later)
    },
    shift: (): Timer | undefined => timers.shift(),
    /** Takes out all; sleeps end with the reason. */
    end: (reason: Error): void => {
      for (const { sleeper } of timers.splice(0)) endSleep(reason, sleeper)
    },
  }
}

export { frozenStart, type ClockSetting } from './barriers.ts'

export interface Advanced {
  /** Milliseconds since 1970 after the advance. */
  now: number
  /** Labels of the timers that ran, in order. */
  fired: readonly string[]
}

export interface TenantClock {
  readonly setting: ClockSetting
  /**
   * Milliseconds since 1970, for whatever lasts: it never goes back, and goes on at its pace when somebody sets the
   * date of the machine.
   */
  now(): number
  /** Milliseconds since 1970 as the machine has them, for dates that are shown: like `now()` until its date is set. */
  date(): number
  /**
   * Resolves when `ms` have passed on this clock; at once when `ms` is not positive, or the signal aborts. Rejects when
   * its tenant is reset or closed before.
   */
  sleep(ms: number, options?: { signal?: AbortSignal; label?: string }): Promise<void>
  /** Runs once when `ms` have passed on this clock; call the result to forget it. Never runs it at once. */
  after(ms: number, label: string, run: () => void): () => void
  /** Lets whatever else is ready run first; no time passes. */
  yield(): Promise<void>
  /** Moves time ahead, runs what is due in order, and resolves when what it started has settled. */
  advance(ms: number): Promise<Advanced>
  /** Like `advance`, to a moment; `next-timer` is the moment of the earliest timer. */
  advanceTo(moment: number | 'next-timer'): Promise<Advanced>
  /**
   * Makes `advance` wait for work outside of this clock, such as a request in flight; with `timeoutMs`, at most for
   * that much real time, because the work may itself wait for this clock.
   */
  track<T>(work: Promise<T>, options?: { timeoutMs?: number }): Promise<T>
  /** The same for work without a promise: it lasts until the result is called. */
  busy(options?: { timeoutMs?: number }): () => void
  /** `moment`: what it shows now, wherever the setting starts. */
  set(setting: ClockSetting, moment?: number): void
  readonly pending: number
  /** Milliseconds on this clock until the earliest timer is due; null where none waits. */
  nextIn(): number | null
  /** Ends whatever waits: sleeps reject with `reason`, and no other timer runs. */
  endTimers(reason: Error): void
  /** The same, also for whatever would wait from now on: nothing keeps the process alive. */
  close(reason?: Error): void
}

/** The longest that a timer of the machine can wait. */
const longestWait = 2 ** 31 - 1

/** Rings once at a moment of a clock; one machine timer for all of them. */
function createAlarm(machine: MachineTime, ring: () => void) {
  let armed: { cancel(): void; due: number } | null = null
  const disarm = (): void => {
    armed?.cancel()
    armed = null
  }
  return {
    disarm,
    /** One that rings too early is set again by whoever hears it: cheaper than to set it for every timer that goes. */
    set: (due: number | undefined, delay: () => number): void => {
      if (armed && due !== undefined && armed.due <= due) return
      disarm()
      if (due === undefined) return
      const cancel = machine.after(Math.min(longestWait, Math.max(1, Math.ceil(delay()))), () => {
        armed = null
        ring()
      })
      armed = { cancel, due }
    },
  }
}

const noop = (): void => undefined

interface Work {
  /** How long an advance waits for it, in ms of real time. */
  readonly timeoutMs: number
  onEnd(): void
}

/** Advances run one after the other; each runs what is due, in order, and lets it settle. */
function createAdvancer(
  timers: Timers,
  now: () => number,
  moveTo: (moment: number) => void,
  machine: MachineTime,
) {
  const work = new Set<Work>()
  let last: Promise<unknown> = Promise.resolve()
  const wait = async (one: Work): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    one.onEnd = resolve
    const forget = one.timeoutMs === Infinity ? noop : machine.afterAwake(one.timeoutMs, resolve)
    await promise
    forget()
    work.delete(one)
  }
  const settle = async (): Promise<void> => {
    await breathe()
    while (work.size > 0) await Promise.all([...work].map(wait))
    await breathe()
  }
  const run = async (goal: (timers: Timers) => number): Promise<Advanced> => {
    await settle()
    const target = goal(timers)
    const fired: string[] = []
    for (let head = timers.first; head && head.due <= target; head = timers.first) {
      moveTo(head.due)
      timers.shift()
      fired.push(head.label)
      head.run()
      await settle()
    }
    moveTo(target)
    return { now: now(), fired }
  }
  const busy: TenantClock['busy'] = ({ timeoutMs = Infinity } = {}) => {
    const one: Work = { timeoutMs, onEnd: noop }
    work.add(one)
    return () => {
      work.delete(one)
      one.onEnd()
    }
  }
  const track: TenantClock['track'] = (promise, options) => {
    const end = busy(options)
    promise.then(end, end)
    return promise
  }
  return {
    busy,
    track,
    advance: (goal: (timers: Timers) => number): Promise<Advanced> => {
      const turn = last.then(() => run(goal))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

type After = (ms: number, label: string, run: () => void, sleeper?: Sleeper) => () => void

/** Of a clock that is closed: there is nothing to forget. */
function refused(reason: Error, sleeper?: Sleeper): () => void {
  endSleep(reason, sleeper)
  return noop
}

const sleepBy =
  (after: After): TenantClock['sleep'] =>
  (ms, { signal, label = 'sleep' } = {}) => {
    if (ms <= 0 || signal?.aborted) return Promise.resolve()
    const sleeper = Promise.withResolvers<void>()
    const { promise, resolve } = sleeper
    const forget = after(ms, label, resolve, sleeper)
    if (!signal) return promise
    const abort = (): void => {
      forget()
      resolve()
    }
    signal.addEventListener('abort', abort, { once: true })
    const awake = (): void => signal.removeEventListener('abort', abort)
    promise.then(awake, awake)
    return promise
  }

/** `machine`: whose time it is; tests hand in one of their own. */
export function createClock(
  initial: ClockSetting = { mode: 'real' },
  machine: MachineTime = machineTime,
): TenantClock {
  const timeline = createTimeline(initial, machine)
  const { now, moveTo } = timeline
  const timers = createTimers()
  let closed: Error | null = null

  const arm = (): void => {
    const due = timeline.factor === 0 ? undefined : timers.first?.due
    alarm.set(due, () => ((due ?? 0) - now()) / timeline.factor)
  }
  const alarm = createAlarm(machine, () => {
    for (const timer of timers.takeDue(now())) timer.run()
    arm()
  })
  const after: After = (ms, label, run, sleeper) => {
    if (closed) return refused(closed, sleeper)
    const timer: Timer = { due: now() + Math.max(0, ms), label, run, sleeper }
    timers.add(timer)
    arm()
    return () => timers.remove(timer)
  }
  const advancer = createAdvancer(timers, now, moveTo, machine)
  // The alarm was set for a time that took longer to come.
  const rearm = (): void => {
    alarm.disarm()
    arm()
  }
  const advance = (goal: (timers: Timers) => number): Promise<Advanced> =>
    advancer.advance(goal).finally(rearm)

  return {
    get setting() {
      return timeline.setting
    },
    get pending() {
      return timers.size
    },
    nextIn: () => (timers.first ? Math.max(0, timers.first.due - now()) : null),
    now,
    date: timeline.date,
    sleep: sleepBy(after),
    after,
    yield: breathe,
    advance: (ms) => advance(() => dated(now() + Math.max(0, ms))),
    advanceTo: (moment) =>
      advance((timers) => (moment === 'next-timer' ? (timers.first?.due ?? now()) : moment)),
    track: advancer.track,
    busy: advancer.busy,
    set: (next, moment) => {
      timeline.set(next, moment)
      rearm()
    },
    endTimers: (reason) => timers.end(reason),
    close: (reason = new Error('The clock is closed.')) => {
      closed = reason
      timers.end(reason)
      alarm.disarm()
    },
  }
}

/** Turns of the event loop without an event until it is looked whether anything is under way. */
const quietTurns = 3

/** Events of sockets, files and threads so far; timers are none. */
const events = (): number => performance.nodeTiming.uvMetricsInfo.events
/** Deno and Bun do not count them. */
const areCounted = 'uvMetricsInfo' in (performance.nodeTiming ?? {})

/** Work of other threads and processes, which ends by itself, and callbacks of the next turn. */
const ready = /^(?:FSReq|Get(?:Addr|Name)Info|Immediate|ProcessWrap)/
const isIdle = (): boolean => !process.getActiveResourcesInfo().some((name) => ready.test(name))

/**
 * Time for a process that holds both ends of each connection, such as a suite with the simulator that it runs against:
 * once nothing in it is ready to run, the wait for the next timer is skipped. Timers run in the order of their times,
 * however busy the machine is. While a thread or a process is awaited, time goes on at the pace of the machine.
 */
export function skippingTime(): MachineTime {
  if (!areCounted) return machineTime
  const timers = createTimers()
  let skipped = 0
  let isWatching = false
  const elapsed = (): number => machineElapsed() + skipped

  async function watch(): Promise<void> {
    isWatching = true
    // The caller has its timer before it runs, even one that is due at once.
    await Promise.resolve()
    let [seen, quiet] = [events(), 0]
    while (timers.first) {
      if (timers.first.due <= elapsed()) {
        timers.shift()?.run()
        quiet = 0
      }
      // The system delivers meanwhile what was sent.
      await (quiet < quietTurns ? breathe() : pauseFor(1))
      const now = events()
      quiet = now === seen ? quiet + 1 : 0
      seen = now
      if (quiet > quietTurns && isIdle()) skipped += Math.max(0, (timers.first?.due ?? 0) - elapsed())
    }
    isWatching = false
  }

  const after: MachineTime['after'] = (ms, run) => {
    const timer = { due: elapsed() + Math.max(0, ms), label: '', run }
    timers.add(timer)
    if (!isWatching) void watch()
    return () => timers.remove(timer)
  }
  return { now: () => machineNow() + skipped, elapsed, after, afterAwake: after }
}
