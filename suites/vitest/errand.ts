/** What passes between an embedded vitest and whoever started it: plain data, copied between threads. */
import type { Created } from '../../reports/bundle/created.ts'
import type { RunEvent } from '../runner/outcome/run-event.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Target } from '../config/target.ts'

export interface Errand {
  target: Target
  options: {
    seed: number
    only?: readonly string[]
    version?: string
    runId?: string
    allowExec?: boolean
  }
  /** Name of the channel over which the replies come. */
  channel: string
}

/** What a run tells of itself, with what it creates on its target and what is gone from there. */
export type Told = RunEvent | { is: 'created'; entry: Created } | { is: 'gone'; id: string }

/** Any number of events, and one of the others at the end. */
export type Reply = { event: Told; taken: Taken } | { run: Run } | { refused: string }

/** Shared between the two threads: what has become of an event. */
export type Taken = Int32Array<SharedArrayBuffer>

/** `stop`: it was taken, and the run is to come to its end. `refused`: it was not, and nothing may follow it. */
const states = { open: 0, taken: 1, stop: 2, refused: 3 } as const

/** Far beyond what it takes to write a line. */
const patienceMs = 60_000

/**
 * Hands an event on and waits until it was taken, in the worker: nothing is sent before the plan is written, and
 * nothing gets ahead of the journal. Whether the run may go on. Throws where the event was refused.
 */
export function handOver(send: (taken: Taken) => void): boolean {
  const taken: Taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  send(taken)
  Atomics.wait(taken, 0, states.open, patienceMs)
  const state = Atomics.load(taken, 0)
  if (state === states.open || state === states.refused) throw new Error('what the run told of was not taken')
  return state === states.taken
}

/** Takes an event, and lets the worker go on in any case. */
export function take(taken: Taken, doing: () => void, mayGoOn: () => boolean): void {
  let state: number = states.refused
  try {
    doing()
    state = mayGoOn() ? states.taken : states.stop
  } finally {
    Atomics.store(taken, 0, state)
    Atomics.notify(taken, 0)
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: Errand
  }
}
