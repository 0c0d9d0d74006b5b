/** Whatever of a tenant is set rather than remembered: a handful of values that stand in one document. */
import { replyRuleFixtures } from '../../tenant/fixtures.ts'
import { machineNow } from '../../tenant/clock/machine-time.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { bodyOf, entryWith, type Codec, type Written } from './codec.ts'

type Settings = ReturnType<typeof settingsOf> & Partial<ReturnType<typeof chosenOf>>

const settingsOf = (state: TenantState) => ({
  agents: Object.fromEntries(
    [...state.agents.values()].map(({ id, paused, allowed }) => [id, { paused, allowed }]),
  ),
  outages: state.outages.map((outage) => ({ ...outage, times: outage.times ?? 1 })),
  presentations: state.presentations,
})

/** What options choose at first, and the control plane afterwards. */
const chosenOf = (state: TenantState) => ({
  modifications: state.modifications,
  replyRules: state.replyRules.slice(0, -replyRuleFixtures.length),
  networkFaults: state.networkFaults.armed,
  taskPace: state.operations.pace,
  clock: clockOf(state),
})

/** What it shows when the machine says `machine`, both in ms; that of a clock that stands still does not matter. */
const clockOf = ({ clock }: TenantState) => ({
  setting: clock.setting,
  at: clock.now(),
  ...(clock.setting.mode !== 'frozen' && { machine: machineNow() }),
})

export const settingsCodec: Codec = {
  isCompared: true,
  ids: () => [''],
  write: (state) => entryWith({ ...settingsOf(state), ...chosenOf(state) }),
  read: (state, _id, entry) => {
    const { agents, outages, presentations, clock, ...chosen } = bodyOf<Settings>(entry)
    for (const [id, agent] of Object.entries(agents)) Object.assign(state.agents.get(id) ?? {}, agent)
    // JSON has null for Infinity.
    const endless = outages.map((outage) => ({ ...outage, times: outage.times ?? Infinity }))
    state.outages.splice(0, Infinity, ...endless)
    state.presentations = presentations
    if (!clock) return
    const { modifications = {}, replyRules = [], networkFaults = [], taskPace = null } = chosen
    state.deviate(modifications)
    state.replyRules.splice(0, Infinity, ...replyRules, ...replyRuleFixtures)
    state.networkFaults.clear()
    state.networkFaults.arm(networkFaults.map((armed) => ({ ...armed, left: armed.left ?? Infinity })))
    state.operations.pace = taskPace
    // A clock that is not frozen has gone on meanwhile.
    const now = machineNow()
    const { setting, at, machine = now } = clock
    state.clock.set(
      setting,
      at + Math.max(0, now - machine) * (setting.mode === 'scaled' ? setting.factor : 1),
    )
  },
}

/** For whoever begins a tenant with other options, and means those. */
export function withoutChosen(entry: Written): Written {
  const { agents, outages, presentations } = bodyOf<Settings>(entry)
  return entryWith({ agents, outages, presentations })
}
