/** Where time stands in one tenant: what the time of the machine is mapped to. */
import type { MachineTime } from './machine-time.ts'

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

export interface Timeline {
  readonly setting: ClockSetting
  /** How fast time goes; 0 where it stands. */
  readonly factor: number
  readonly now: () => number
  readonly date: () => number
  /** Time goes on from there; what lies behind it is no goal. */
  readonly moveTo: (moment: number) => void
  /** `moment`: what it shows now, wherever the setting starts. Throws a RangeError for what is no date. */
  readonly set: (setting: ClockSetting, moment?: number) => void
}

export function createTimeline(initial: ClockSetting, machine: MachineTime): Timeline {
  let setting = initial
  let anchor = anchorOf(initial, initial.mode === 'frozen' ? frozenStart : machine.now(), machine)
  const now = (): number =>
    Math.min(latest, Math.floor(anchor.clock + (machine.elapsed() - anchor.elapsed) * anchor.factor))
  return {
    get setting() {
      return setting
    },
    get factor() {
      return anchor.factor
    },
    now,
    date: () => (anchor.factor === 0 ? now() : Math.min(latest, now() + stepSince(anchor, machine))),
    moveTo: (moment) => void (anchor.clock += Math.max(0, moment - now())),
    set: (next, moment) => {
      const made = anchorOf(next, moment ?? now(), machine)
      if (moment !== undefined) made.clock = dated(moment)
      anchor = made
      setting = next
    },
  }
}
