/**
 * Barriers stop a turn at a named point: the only deterministic way to a turn in flight, or to one whose
 * outcome is not known.
 */

/** `after-token:3` is passed when three tokens were sent. `after-commit` stands before the answer goes out. */
export type BarrierPoint = 'before-run' | `after-token:${number}` | 'before-commit' | 'after-commit'

export interface BarrierMatch {
  at: BarrierPoint
  /** Agent id; absent: any. */
  agent?: string
  /** Idempotency key; absent: any. */
  key?: string
  /** How many turns it stops before it is used up. Default: until it is released. */
  times?: number
}

/** A turn as a barrier sees it. */
export interface Passing {
  agent: string
  key: string
}

export interface Barrier {
  readonly id: string
  readonly match: BarrierMatch
  readonly action: 'hold' | 'crash'
  /** Turns that stand at it now. */
  readonly waiting: number
  /** Resolves once `count` turns in all (default 1) have come to it. */
  reached(count?: number): Promise<void>
  /** Lets every turn go on and takes the barrier away. */
  release(): void
  /** Kills every turn that stands at it, and takes the barrier away. */
  crash(): void
}

export interface Barriers {
  /** Turns that match stop here until the barrier is released. */
  hold(match: BarrierMatch): Barrier
  /** Turns that match die here: the key becomes uncertain, the socket drops. */
  crash(match: BarrierMatch): Barrier
  list(): readonly Barrier[]
  find(id: string): Barrier | undefined
  /** Releases everything. */
  clear(): void
  /** Called by a turn. Undefined when nothing stops it; rejects with `Crashed` when it dies. */
  pass(point: BarrierPoint, turn: Passing): undefined | Promise<void>
}

/** What a turn that dies at a barrier rejects with. */
export class Crashed extends Error {
  constructor(point: BarrierPoint) {
    super(`The turn died at the barrier ${point}, as was asked for.`)
  }
}
