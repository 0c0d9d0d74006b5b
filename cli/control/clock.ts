/** `touchstone sim clock` */
import type { ClockState, ControlledClock } from '../../simulator/control-client/index.ts'
import { UsageError } from '../usage-error.ts'
import { controlRow, type ControlResult } from './row.ts'

const help = `Actions:
  +90s        advance by this time (ms, s, m, h, d), and run what falls due
  next        advance to the next timer, such as a webhook retry
  freeze      stop the clock
  set TIME    stop the clock at this time, such as 2030-01-01T00:00:00Z
  scale 60    run 60 times as fast as real time
  real        run in real time

Without an action, the command prints the time.`

type Change = (clock: ControlledClock) => Promise<ControlResult>

const forms: readonly (readonly [RegExp, (value: string, unit: string) => Change])[] = [
  [/^$/, () => async (clock) => stateText(await clock.read())],
  [/^freeze$/, () => async (clock) => stateText(await clock.freeze())],
  [/^real$/, () => async (clock) => stateText(await clock.real())],
  [/^next$/, () => next],
  [
    /^\+(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/,
    (amount, unit) => advance(Number(amount) * (units[unit] ?? 0)),
  ],
  [
    /^scale (\d{1,6}(?:\.\d{1,3})?)$/,
    (factor) => async (clock) => stateText(await clock.scale(Number(factor))),
  ],
  [/^set (.+)$/, (time) => set(time)],
]

export const clock = controlRow({
  name: 'clock',
  description: 'read, advance, freeze or set the clock',
  argument: ['[action...]', 'what to do, as below'],
  help,
  run(words) {
    const text = words.join(' ')
    for (const [form, change] of forms) {
      const [match, value = '', unit = ''] = form.exec(text) ?? []
      if (match !== undefined) {
        const changed = change(value, unit)
        return ({ tenant }) => changed(tenant.clock)
      }
    }
    throw new UsageError(`clock ${text}: give +90s, next, freeze, set TIME, scale FACTOR or real.`)
  },
})

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function set(text: string): Change {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new UsageError(`clock set ${text}: that is no time; give one such as 2030-01-01T00:00:00Z.`)
  return async (clock) => stateText(await clock.freeze(at))
}

const advance =
  (ms: number): Change =>
  async (clock) => {
    const json = await clock.advance(ms)
    const { now, fired, nextInMs } = json
    return { text: `${now}  ${counted(fired)} fired, ${dueText(nextInMs) ?? 'none is left'}`, json }
  }

/** An advance by nothing first waits for work in flight, such as an attempt of which the retry is due next. */
const next: Change = async (clock) => {
  const { nextInMs } = await clock.advance(0)
  return typeof nextInMs === 'number' ? advance(nextInMs)(clock) : stateText(await clock.read())
}

const counted = (timers: number): string => `${timers} ${timers === 1 ? 'timer' : 'timers'}`

function stateText(json: ClockState): ControlResult {
  const { now, setting, pending = 0, nextInMs } = json
  const parts = [settingText(setting), `${counted(pending)} waiting`, dueText(nextInMs)]
  return { text: `${now}  ${parts.filter((part) => part !== undefined).join(', ')}`, json }
}

function settingText(setting: ClockState['setting']): string {
  if (setting.mode === 'real') return 'real time'
  if (setting.mode === 'frozen') return 'frozen'
  if (setting.mode === 'scaled') return `${setting.factor} times as fast as real time`
  return `real time ${setting.ms < 0 ? 'minus' : 'plus'} ${durationText(Math.abs(setting.ms))}`
}

function dueText(ms: number | null | undefined): string | undefined {
  if (typeof ms !== 'number') return undefined
  return ms === 0 ? 'the next is due' : `the next in ${durationText(ms)}`
}

/** In the largest unit that leaves at least 1. */
export function durationText(ms: number): string {
  const [unit, size] = Object.entries(units).findLast(([, length]) => ms >= length) ?? ['ms', 1]
  return `${Math.round((ms / size) * 100) / 100} ${unit === 'm' ? 'min' : unit}`
}
