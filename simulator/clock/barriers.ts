/**
 * Barriers stop a turn at a named point: the only deterministic way to a turn in flight, or to one whose
 * outcome is not known.
 */
import type { MachineTime } from './machine-time.ts'

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
  readonly held: readonly Passing[]
  /** Turns that have come to it in all. */
  readonly came: number
  /** Resolves once `count` turns in all (default 1) have come to it. Rejects when its tenant is reset or closed before. */
  reached(count?: number): Promise<void>
  /** Lets every turn go on and takes the barrier away. */
  release(): void
  /** Kills every turn that stands at it, and takes the barrier away. */
  crash(): void
}

/** What a turn rejects with that dies on purpose, at a barrier or with what its tenant has in flight. */
export class Crashed extends Error {}

const crashedAt = (point: BarrierPoint): Crashed =>
  new Crashed(`The turn died at the barrier ${point}, as was asked for.`)

interface Standing {
  readonly turn: Passing
  resolve(): void
  reject(reason: Error): void
}

function createBarrier(id: string, match: BarrierMatch, action: Barrier['action'], remove: () => void) {
  const standing = new Set<Standing>()
  const watchers: (PromiseWithResolvers<void> & { readonly count: number })[] = []
  let came = 0

  const open = (each: (turn: Standing) => void): void => {
    remove()
    for (const one of standing) each(one)
    standing.clear()
  }
  const barrier: Barrier = {
    id,
    match,
    action,
    get waiting() {
      return standing.size
    },
    get held() {
      return [...standing].map(({ turn }) => turn)
    },
    get came() {
      return came
    },
    reached: (count = 1) => {
      const watcher = { count, ...Promise.withResolvers<void>() }
      if (came >= count) watcher.resolve()
      else watchers.push(watcher)
      return watcher.promise
    },
    release: () => open((turn) => turn.resolve()),
    crash: () => open((turn) => turn.reject(crashedAt(match.at))),
  }
  const end = (reason: Error): void => {
    open((turn) => turn.reject(reason))
    for (const { promise, reject } of watchers.splice(0)) {
      // One without a listener is no defect of the process.
      promise.catch(() => undefined)
      reject(reason)
    }
  }
  const stops = (point: BarrierPoint, turn: Passing): boolean =>
    match.at === point &&
    (match.agent === undefined || match.agent === turn.agent) &&
    (match.key === undefined || match.key === turn.key) &&
    (match.times === undefined || came < match.times)
  const arrive = (turn: Passing): Promise<void> => {
    came++
    for (const watcher of watchers) if (came >= watcher.count) watcher.resolve()
    if (action === 'crash') return Promise.reject(crashedAt(match.at))
    return new Promise((resolve, reject) => void standing.add({ turn, resolve, reject }))
  }
  return { barrier, stops, arrive, end }
}

export type Barriers = ReturnType<typeof createBarriers>

export function createBarriers() {
  const gates: ReturnType<typeof createBarrier>[] = []
  let made = 0

  const add = (match: BarrierMatch, action: Barrier['action']): Barrier => {
    const gate = createBarrier(`barrier-${++made}`, match, action, () => {
      const index = gates.indexOf(gate)
      if (index !== -1) gates.splice(index, 1)
    })
    gates.push(gate)
    return gate.barrier
  }
  return {
    /** Turns that match stop here until the barrier is released. */
    hold: (match: BarrierMatch): Barrier => add(match, 'hold'),
    /** Turns that match die here: the key becomes uncertain, the socket drops. */
    crash: (match: BarrierMatch): Barrier => add(match, 'crash'),
    get any(): boolean {
      return gates.length > 0
    },
    list: (): readonly Barrier[] => gates.map((gate) => gate.barrier),
    find: (id: string): Barrier | undefined => gates.find((gate) => gate.barrier.id === id)?.barrier,
    clear: (): void => gates.slice().forEach((gate) => gate.barrier.release()),
    /** Takes every barrier away; turns that stand at one, and waits for turns to come to it, reject with `reason`. */
    end: (reason: Error): void => gates.slice().forEach((gate) => gate.end(reason)),
    /** Called by a turn. Undefined when nothing stops it; rejects with `Crashed` when it dies. */
    pass: (point: BarrierPoint, turn: Passing): undefined | Promise<void> =>
      gates.find((gate) => gate.stops(point, turn))?.arrive(turn),
  }
}

/** `frozen`: time moves only by `advance`. `offset`: real time plus some ms. `scaled`: real time, `factor` times as fast. */
export type ClockSetting =
  | { readonly mode: 'real' }
  | { readonly mode: 'frozen'; readonly at?: number }
  | { readonly mode: 'offset'; readonly ms: number }
  | { readonly mode: 'scaled'; readonly factor: number }

/** Where frozen time starts when nothing else was said: 2030-01-01T00:00:00Z. */
export const frozenStart = Date.UTC(2030, 0, 1)

/** What real time is mapped to: `clock` ms when so much had elapsed, then `factor` times as fast. */
interface Anchor {
  clock: number
  readonly factor: number
  /** What the machine said then. */
  readonly elapsed: number
  readonly date: number
}

type AnchorOf<S> = (setting: S, moment: number, date: number) => Pick<Anchor, 'clock' | 'factor'>

/** Where time stands under a setting; `moment` is what it was before. */
const anchors: { [M in ClockSetting['mode']]: AnchorOf<Extract<ClockSetting, { mode: M }>> } = {
  real: (_setting, _moment, date) => ({ clock: date, factor: 1 }),
  offset: ({ ms }, _moment, date) => ({ clock: date + ms, factor: 1 }),
  scaled: ({ factor }, moment) => ({ clock: moment, factor }),
  frozen: ({ at }, moment) => ({ clock: at ?? moment, factor: 0 }),
}

function anchorOf(setting: ClockSetting, moment: number, machine: MachineTime): Anchor {
  const anchor: AnchorOf<typeof setting> = anchors[setting.mode] as AnchorOf<ClockSetting>
  const [date, elapsed] = [machine.now(), machine.elapsed()]
  const made = { ...anchor(setting, moment, date), date, elapsed }
  dated(made.clock)
  return made
}

/** Less than this between two interpretations of the machine is no date that was set. */
const leastStepMs = 1_000

/** How far the date of the machine was set ahead since then, or back. */
function stepSince({ date, elapsed }: Anchor, machine: MachineTime): number {
  const step = Math.round(machine.now() - date - (machine.elapsed() - elapsed))
  return Math.abs(step) < leastStepMs ? 0 : step
}

/** RFC 3339 writes the years 0 to 9999. One on each side is for what lies a month before or after a clock. */
const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9998-12-31T23:59:59.999Z')]

export function dated(moment: number): number {
  if (moment >= earliest && moment <= latest) return moment
  throw new RangeError(`${moment} ms since 1970 is no date of a clock; keep within the years 1 to 9998.`)
}

export function createTimeline(initial: ClockSetting, machine: MachineTime) {
  let setting = initial
  let anchor = anchorOf(initial, initial.mode === 'frozen' ? frozenStart : machine.now(), machine)
  const now = (): number =>
    Math.min(latest, Math.floor(anchor.clock + (machine.elapsed() - anchor.elapsed) * anchor.factor))
  return {
    get setting(): ClockSetting {
      return setting
    },
    /** How fast time goes; 0 where it stands. */
    get factor(): number {
      return anchor.factor
    },
    now,
    date: (): number => (anchor.factor === 0 ? now() : Math.min(latest, now() + stepSince(anchor, machine))),
    /** Time goes on from there; what lies behind it is no goal. */
    moveTo: (moment: number): void => void (anchor.clock += Math.max(0, moment - now())),
    /** `moment`: what it shows now, wherever the setting starts. Throws a RangeError for what is no date. */
    set: (next: ClockSetting, moment?: number): void => {
      const made = anchorOf(next, moment ?? now(), machine)
      if (moment !== undefined) made.clock = dated(moment)
      anchor = made
      setting = next
    },
  }
}
