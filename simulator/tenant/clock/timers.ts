/** Timers of one clock, in the order in which they are due. */

export type Sleeper = PromiseWithResolvers<void>

export interface Timer {
  readonly due: number
  readonly label: string
  run(): void
  /** Who sleeps until then; rejected where that time never comes. */
  readonly sleeper?: Sleeper | undefined
}

export interface Timers {
  readonly size: number
  readonly first: Timer | undefined
  add(timer: Timer): void
  remove(timer: Timer): void
  /** Takes out what is due at this moment, earliest first; of equal ones the one added first. */
  takeDue(moment: number): readonly Timer[]
  shift(): Timer | undefined
  /** Takes out all; sleeps end with the reason. */
  end(reason: Error): void
}

const ignore = (): void => undefined

export function endSleep(reason: Error, sleeper?: Sleeper): void {
  // One without a listener is no defect of the process.
  sleeper?.promise.catch(ignore)
  sleeper?.reject(reason)
}

export function createTimers(): Timers {
  const timers: Timer[] = []
  return {
    get size() {
      return timers.length
    },
    get first() {
      return timers[0]
    },
    // Most timers are due last, so the search for their place begins at the end.
    add: (timer) => {
      let index = timers.length
      while (index > 0 && (timers[index - 1]?.due ?? 0) > timer.due) index--
      timers.splice(index, 0, timer)
    },
    remove: (timer) => {
      const index = timers.indexOf(timer)
      if (index !== -1) timers.splice(index, 1)
    },
    takeDue: (moment) => {
      const later = timers.findIndex((timer) => timer.due > moment)
      return timers.splice(0, later === -1 ? timers.length : later)
    },
    shift: () => timers.shift(),
    end: (reason) => {
      for (const { sleeper } of timers.splice(0)) endSleep(reason, sleeper)
    },
  }
}
