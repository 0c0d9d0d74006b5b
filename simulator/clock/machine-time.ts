/** The one place that reads the machine's clock and sets its timers; everything else takes time from a `Clock`. */
/* oxlint-disable no-restricted-globals, no-restricted-properties */

/** Milliseconds since 1970. Somebody may set it at any moment, ahead or back: for dates, and for nothing that lasts. */
export const machineNow = (): number => Date.now()

/** Milliseconds since some moment, with fractions. Only ever goes forward, at the pace of time: for whatever lasts. */
export const machineElapsed = (): number => performance.now()

/** Runs once after so much real time; call the result to forget it. */
export function afterRealTime(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Runs every so much real time, and keeps no process alive for it; call the result to stop. */
export function everyRealTime(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}

const ticks = 30

/** In steps: while the process is not scheduled, none of them passes. */
function afterAwake(ms: number, run: () => void): () => void {
  let left = ticks
  let forget = (): void => undefined
  const tick = (): void => {
    if (left-- > 0) forget = afterRealTime(ms / ticks, tick)
    else run()
  }
  tick()
  return () => forget()
}

export interface MachineTime {
  now(): number
  elapsed(): number
  after(ms: number, run: () => void): () => void
  /** Like `after`, of time in which this process ran. */
  afterAwake(ms: number, run: () => void): () => void
}

export const machineTime: MachineTime = {
  now: machineNow,
  elapsed: machineElapsed,
  after: afterRealTime,
  afterAwake,
}

/** As they are when this is loaded: a test may replace those of the process by ones that never fire. */
const [inNextTurn, inTime] = [setImmediate, setTimeout]
let pause: PromiseWithResolvers<void> | null = null

function endPause(): void {
  const ended = pause
  pause = null
  ended?.resolve()
}

/**
 * Lets everything that is ready run: promise chains, and what they start. Calls in the same turn of the event loop share
 * a promise, and go on in the order of the calls.
 */
export function breathe(): Promise<void> {
  if (pause === null) {
    pause = Promise.withResolvers()
    inNextTurn(endPause)
  }
  return pause.promise
}

/** Resolves after so much real time, whatever a test does to timers. */
export const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => void inTime(resolve, ms))
