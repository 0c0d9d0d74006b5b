/** What the rig does at each moment: quiet or under attack, and whether it breaks something itself. */

export type Phase = 'quiet' | 'siege' | 'between'

interface DeclaredFault {
  readonly from: number
  until: number
}

export interface Phases {
  /** `between`: nothing is measured. */
  phase: Phase
  /** Begins a time in which answers may fail; returns what ends it. */
  declare(): () => void
  /** Whether a fault was on at some moment between two times of `performance.now()`. */
  declared(from: number, until: number): boolean
}

export function createPhases(now: () => number = () => performance.now()): Phases {
  const faults: DeclaredFault[] = []
  return {
    phase: 'between',
    declare: () => {
      const fault: DeclaredFault = { from: now(), until: Infinity }
      faults.push(fault)
      return () => void (fault.until = now())
    },
    declared: (from, until) => faults.some((fault) => fault.from <= until && from <= fault.until),
  }
}

/** Short enough for a line of a report. */
export const formatted = (text: string): string =>
  JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
