/** Whatever of a world is set rather than remembered: a handful of values that stand in one document. */
import type { ReplyRule } from '../chat/reply-rule.ts'
import type { Armed } from '../disturbance/book.ts'
import type { TaskPace } from '../operations/operation.ts'
import type { Deviations } from '../tenant.ts'
import { frozenStart, type ClockSetting } from '../world/clock.ts'
import { replyRuleFixtures } from '../world/fixtures.ts'
import { machineNow } from '../world/machine-time.ts'
import type { Outage } from '../world/outage.ts'
import type { World } from '../world/world.ts'
import type { Shelf } from './shelf.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Settings {
  /** Whoever begins a world with other options means those, whatever was set of them in the life before. */
  readonly begunWith: string
  readonly deviations: Deviations
  readonly agents: Readonly<Record<string, { paused: boolean; allowed: boolean }>>
  /** Those before the reply rules of the fixtures. */
  readonly replyRules: readonly ReplyRule[]
  readonly outages: readonly Stored<Outage>[]
  readonly disturbances: readonly Stored<Armed>[]
  readonly presentations: number
  readonly taskPace: TaskPace | null
  readonly clock: StoredClock
}

/** JSON has no infinity: `null` stands for it. */
type Stored<T> = { readonly [K in keyof T]: T[K] | (number extends T[K] ? null : never) }

/** `at`: what it showed when the machine said `machine`, both in ms; absent where the setting tells all. */
interface StoredClock {
  readonly setting: ClockSetting
  readonly at?: number
  readonly machine?: number
}

function clockOf({ clock }: World): StoredClock {
  const { setting } = clock
  if (setting.mode === 'frozen') return { setting, at: clock.now() }
  return setting.mode === 'scaled' ? { setting, at: clock.now(), machine: machineNow() } : { setting }
}

/** A scaled clock has gone on meanwhile, a frozen one has not. */
function setClock({ clock }: World, { setting, at = frozenStart, machine = 0 }: StoredClock): void {
  if (setting.mode === 'frozen') return clock.set({ mode: 'frozen', at })
  if (setting.mode === 'scaled')
    clock.set({ mode: 'frozen', at: at + Math.max(0, machineNow() - machine) * setting.factor })
  clock.set(setting)
}

const finite = <T extends number | undefined>(value: T): T | null => (value === Infinity ? null : value)

export const settings: Shelf = {
  write: (world) => {
    const body: Settings = {
      begunWith: world.begunWith,
      deviations: world.deviations,
      agents: Object.fromEntries(
        [...world.agents.values()].map(({ id, paused, allowed }) => [id, { paused, allowed }]),
      ),
      replyRules: world.replyRules.slice(0, -replyRuleFixtures.length),
      outages: world.outages.map((outage) => ({ ...outage, times: finite(outage.times ?? 1) })),
      disturbances: world.disturbances.armed.map((armed) => ({ ...armed, left: finite(armed.left) })),
      presentations: world.presentations,
      taskPace: world.operations.pace,
      clock: clockOf(world),
    }
    return { body: asBody(body), place: { number: 0, since: 0 } }
  },
  read: (world, _id, { body }) => {
    const kept = asWritten<Settings>(body)
    for (const [id, agent] of Object.entries(kept.agents)) Object.assign(world.agents.get(id) ?? {}, agent)
    world.outages.splice(
      0,
      Infinity,
      ...kept.outages.map((outage) => ({ ...outage, times: outage.times ?? Infinity })),
    )
    world.presentations = kept.presentations
    if (kept.begunWith === world.begunWith) readChosen(world, kept)
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
 * Equal as long as the body is, within one process. Reply rules and disturbances may be many and long, and are never
 * changed where they stand: to know which ones there are is enough.
 */
export const gistOf = (body: object): string =>
  JSON.stringify(body, (name, value: unknown) => {
    if (name === 'replyRules' && Array.isArray(value)) return value.map(numberOf)
    return name === 'disturbance' && typeof value === 'object' && value ? numberOf(value) : value
  })

/** What options choose at first, and the control plane afterwards. */
function readChosen(world: World, kept: Settings): void {
  world.deviate(kept.deviations)
  world.replyRules.splice(0, Infinity, ...kept.replyRules, ...replyRuleFixtures)
  world.disturbances.clear()
  world.disturbances.arm(
    kept.disturbances.map((armed) => ({ ...armed, left: armed.left ?? Infinity }) as Armed),
  )
  world.operations.pace = kept.taskPace
  setClock(world, kept.clock)
}
