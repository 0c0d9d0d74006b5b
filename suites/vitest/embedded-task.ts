/** What passes between an embedded vitest and whoever started it: plain data, copied between threads. */
import type { Created } from '../../reports/bundle/created.ts'
import type { RunEvent } from '../runner/outcome/run-event.ts'
import type { RunOrigin, Run } from '../../reports/bundle/record.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import type { Target } from '../config/target.ts'
import type { ShardChoice } from '../runner/plan/shard.ts'
import { TargetUnreachable } from '../runner/plan/unreachable.ts'

export interface EmbeddedTask {
  target: Target
  options: {
    seed: number
    only?: readonly string[]
    shard?: ShardChoice
    version?: string
    origin?: RunOrigin
    runId?: string
    allowExec?: boolean
  }
  /** Name of the channel over which the replies come. */
  channel: string
}

/** The events of a run, with what it creates on its target and removes there. */
export type EmbeddedEvent = RunEvent | { is: 'created'; entry: Created } | { is: 'gone'; id: string }

/** Any number of events, and one of the others at the end. */
export type EmbeddedReply =
  | { event: EmbeddedEvent; acknowledgement: Acknowledgement }
  | { run: Run }
  | { refused: Refusal }

/** What kept a run from beginning: an error loses its class between threads. */
export interface Refusal {
  name: string
  problems: readonly string[]
}

export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof ConfigurationError) return { name: thrown.name, problems: thrown.problems }
  if (thrown instanceof Error) return { name: thrown.name, problems: [thrown.message] }
  return { name: 'Error', problems: [String(thrown)] }
}

/** The error that the engine throws for the same refusal. */
export function errorOf({ name, problems }: Refusal): Error {
  if (name === 'ConfigurationError') return new ConfigurationError(...problems)
  const message = problems.join('\n')
  return name === 'TargetUnreachable' ? new TargetUnreachable(message) : new Error(message)
}

/** Shared between the two threads: what has become of an event. */
export type Acknowledgement = Int32Array<SharedArrayBuffer>

/** `stop`: it was taken, and the run is to come to its end. `refused`: it was not, and nothing may follow it. */
const states = { open: 0, acknowledgement: 1, stop: 2, refused: 3 } as const

/** Far beyond what it takes to write a line. */
const timeoutMs = 60_000

/**
 * Hands an event on and waits until it was taken, in the worker: nothing is sent before the plan is written, and
 * nothing gets ahead of the journal. Whether the run may go on. Throws where the event was refused.
 */
export function deliverEvent(send: (acknowledgement: Acknowledgement) => void): boolean {
  const acknowledgement: Acknowledgement = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  send(acknowledgement)
  Atomics.wait(acknowledgement, 0, states.open, timeoutMs)
  const state = Atomics.load(acknowledgement, 0)
  if (state === states.open || state === states.refused)
    throw new Error('an event of the run was not acknowledged')
  return state === states.acknowledgement
}

/** Takes an event, and lets the worker go on in any case. */
export function acknowledge(
  acknowledgement: Acknowledgement,
  doing: () => void,
  mayGoOn: () => boolean,
): void {
  let state: number = states.refused
  try {
    doing()
    state = mayGoOn() ? states.acknowledgement : states.stop
  } finally {
    Atomics.store(acknowledgement, 0, state)
    Atomics.notify(acknowledgement, 0)
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: EmbeddedTask
  }
}
