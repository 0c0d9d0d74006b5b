/** Whatever of a tenant is set rather than remembered: a handful of values that stand in one document. */
import type { ReplyRule } from '../../chat/reply-rule.ts'
import type { Armed } from '../../network-faults/book.ts'
import type { TaskPace } from '../../operations/operation.ts'
import type { ClockSetting } from '../../tenant/clock/clock.ts'
import { replyRuleFixtures } from '../../tenant/fixtures.ts'
import { machineNow } from '../../tenant/clock/machine-time.ts'
import type { Outage } from '../../tenant/outage.ts'
import type { ModificationNames, TenantState } from '../../tenant/tenant-state.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Settings {
  /** Whoever begins a tenant with other options means those, whatever was set of them in the life before. */
  readonly begunWith: string
  readonly modifications: ModificationNames
  readonly agents: Readonly<Record<string, { paused: boolean; allowed: boolean }>>
  /** Those before the reply rules of the fixtures. */
  readonly replyRules: readonly ReplyRule[]
  readonly outages: readonly Stored<Outage>[]
  readonly networkFaults: readonly Stored<Armed>[]
  readonly presentations: number
  readonly taskPace: TaskPace | null
  readonly clock: StoredClock
}

/** JSON has no infinity: `null` stands for it. */
type Stored<T> = { readonly [K in keyof T]: T[K] | (number extends T[K] ? null : never) }

/** `at`: what it showed when the machine said `machine`, both in ms; absent where the setting says it all. */
interface StoredClock {
  readonly setting: ClockSetting
  readonly at?: number
  readonly machine?: number
}

function clockOf({ clock }: TenantState): StoredClock {
  const { setting } = clock
  if (setting.mode === 'frozen') return { setting, at: clock.now() }
  return setting.mode === 'scaled' ? { setting, at: clock.now(), machine: machineNow() } : { setting }
}

/** A clock that is not frozen has gone on meanwhile. */
function setClock({ clock }: TenantState, { setting, at, machine = 0 }: StoredClock): void {
  if (at === undefined) return clock.set(setting)
  const factor = setting.mode === 'scaled' ? setting.factor : setting.mode === 'frozen' ? 0 : 1
  clock.set(setting, at + Math.max(0, machineNow() - machine) * factor)
}

const finite = <T extends number | undefined>(value: T): T | null => (value === Infinity ? null : value)

export const settingsCodec: Codec = {
  ids: () => [''],
  write: (state) => {
    const body: Settings = {
      begunWith: state.begunWith,
      modifications: state.modifications,
      agents: Object.fromEntries(
        [...state.agents.values()].map(({ id, paused, allowed }) => [id, { paused, allowed }]),
      ),
      replyRules: state.replyRules.slice(0, -replyRuleFixtures.length),
      outages: state.outages.map((outage) => ({ ...outage, times: finite(outage.times ?? 1) })),
      networkFaults: state.networkFaults.armed.map((armed) => ({ ...armed, left: finite(armed.left) })),
      presentations: state.presentations,
      taskPace: state.operations.pace,
      clock: clockOf(state),
    }
    return { body: asBody(body), place: { number: 0, since: 0 } }
  },
  read: (state, _id, { body }) => {
    const kept = asWritten<Settings>(body)
    for (const [id, agent] of Object.entries(kept.agents)) Object.assign(state.agents.get(id) ?? {}, agent)
    state.outages.splice(
      0,
      Infinity,
      ...kept.outages.map((outage) => ({ ...outage, times: outage.times ?? Infinity })),
    )
    state.presentations = kept.presentations
    if (kept.begunWith === state.begunWith) readChosen(state, kept)
  },
}

const numbers = new WeakMap<object, number>()
let numbered = 0

function numberOf(value: object): number {
  const known = numbers.get(value) ?? ++numbered
  numbers.set(value, known)
  return known
}

/**
 * Equal as long as the body is, within one process. Reply rules and network faults may be many and long, and are never
 * changed where they stand: to know which ones there are is enough.
 */
export const gistOf = (body: object): string =>
  JSON.stringify(body, (name, value: unknown) => {
    if (name === 'replyRules' && Array.isArray(value)) return value.map(numberOf)
    return name === 'networkFault' && typeof value === 'object' && value ? numberOf(value) : value
  })

/** What options choose at first, and the control plane afterwards. */
function readChosen(state: TenantState, kept: Settings): void {
  state.deviate(kept.modifications)
  state.replyRules.splice(0, Infinity, ...kept.replyRules, ...replyRuleFixtures)
  state.networkFaults.clear()
  state.networkFaults.arm(
    kept.networkFaults.map((armed) => ({ ...armed, left: armed.left ?? Infinity }) as Armed),
  )
  state.operations.pace = kept.taskPace
  setClock(state, kept.clock)
}
